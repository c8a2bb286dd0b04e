internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Rendering

extension ScopesPlan {
  /// - Throws: `CommandFailure` where the format does not hold what is drawn, with what would.
  static func pictures(
    _ format: ImageFormat, _ size: Size, _ options: ScopesOptions
  ) throws -> (Form, FrameRenderer.Endpoint) {
    if let option = options.coding.forVideoOnly.first(where: \.isGiven)?.name {
      throw CommandFailure("\(option) is for video, and '\(options.url)' is a picture: leave it out.", .usage)
    }
    guard format.bitDepths.contains(8), format.spaces.contains(.sRGB) else {
      let names = ImageFormat.allCases.filter { $0.bitDepths.contains(8) && $0.spaces.contains(.sRGB) }
      throw CommandFailure(
        "Scopes are pictures of eight bits, which \(format.rawValue) does not hold: choose "
          + "\(names.map(\.rawValue).joined(separator: ", ")) or a video.", .usage)
    }
    let pixels = format.pixelFormat(size, in: .sRGB, bitDepth: 8)
    return (
      .pictures(names: try FileNames.checked(options.url), format: format),
      FrameRenderer.Endpoint(format: pixels, transfer: .sRGB(peak: 1))
    )
  }

  /// - Parameter source: Whose frame rate and time base the video has.
  static func video(
    like source: VideoStreamInfo, _ size: Size, _ options: ScopesOptions
  ) throws -> (Form, FrameRenderer.Endpoint) {
    let coding = options.coding
    let format = try MediaWriter.formatName(url: options.url, format: coding.format)
    guard !["image2", "gif", "apng"].contains(format) else {
      throw CommandFailure(
        "Scopes are not written as '\(options.url)': choose png, tiff, avif, jxl or a video.", .usage)
    }
    let usual = PixelLayout(.ycbcr420, bitDepth: 8)
    let encoder = coding.encoder ?? Encoders.defaultEncoder(forFormat: format, layout: usual, color: .bt709)
    let layout = coding.layout ?? encoder.map { Encoders.layout(near: usual, for: $0) } ?? usual
    var color = ColorDescription.bt709
    if layout.components == .rgb { (color.matrix, color.range) = (.rgb, .full) }
    let keepsTimes = try MediaWriter.keepsTimes(url: options.url, format: coding.format)
    let clock = try OutputClock(for: source, keepsTimes: keepsTimes, encoder: encoder)
    var settings = MediaWriter.Settings(
      url: options.url, format: coding.format, encoder: coding.encoder, size: size, layout: layout,
      timeBase: clock.timeBase, frameRate: clock.frameRate, color: color)
    settings.replacesFile = options.overwrite
    settings.preset = coding.preset
    settings.crf = coding.crf
    settings.encoderOptions = try coding.parsedEncoderOptions()
    let pixels = PixelFormat(size: size, layout: layout, color: color)
    return (.video(settings), FrameRenderer.Endpoint(format: pixels, transfer: .bt1886(peak: 1)))
  }
}
