internal import ArgumentParser
internal import ColorScience
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Patterns

/// What is made of a pattern: its canvas, its signal, and one file of it.
struct PatternPlan {
  /// What the file is.
  enum Form {
    case video(MediaWriter.Settings)
    /// Code values or light as a picture; several where the name has a number.
    case pictures(names: FileNames, format: ImageFormat, space: ImageSpace, pixels: PixelFormat)
  }

  let chosen: ChosenPattern
  let canvas: PatternCanvas
  let output: String
  let form: Form
  let rate: Rational
  /// Frames that are made.
  let count: Int
  let warnings: [String]

  var pattern: TestPattern { chosen.pattern }

  /// Seconds of video where nothing is said.
  private static let usualDuration = 5.0
  /// Quality at which encoders with a constant one leave patches within a code or two.
  private static let usualCRF = 10.0
  private static let encodersWithCRF: Set<String> = ["libx264", "libx265", "libsvtav1", "libaom-av1"]
  /// What x265 is told where the user tells it nothing: tools that please the eye change levels in flat areas, by two
  /// codes of twelve bits.
  private static let exactOptions = [
    "libx265": [("aq-mode", "0"), ("cutree", "0"), ("psy-rd", "0"), ("psy-rdoq", "0"), ("sao", "0"), ("deblock", "0")]
  ]
  /// Encoder options that choose a quality or rate of their own.
  private static let rateOptions: Set<String> = ["crf", "qp", "lossless", "bitrate", "b", "rc", "tbr", "vbv-maxrate"]
  /// Frames that anyone would wait for.
  private static let mostFrames = 10_000_000

  /// - Parameters:
  ///   - output: The file; "-" is standard output.
  ///   - scale: Pixels in a point.
  /// - Throws: `CommandFailure` where the pattern, the size or the format is not what the others allow.
  init(_ chosen: ChosenPattern, _ options: PatternOptions, output: String, scale: Int) throws {
    self.chosen = chosen
    self.output = output
    rate = options.rate.value
    let kind = options.kind ?? chosen.pattern.kinds[0]
    let size = options.size.scaled(by: scale)
    try Self.check(size, kind, chosen.pattern)
    let coding = options.coding
    let isPicture = coding.format == nil && coding.encoder == nil && output != "-"
    if isPicture, let format = ImageFormat(suffixOf: output), format != .y4m {
      try Self.refuseVideoOptions(options, output: output)
      let pictures = try PatternPicture(chosen.pattern, kind, format, options)
      canvas = chosen.canvas(size: size, scale: Double(scale), signal: pictures.signal)
      let names = try FileNames.checked(output)
      form = .pictures(
        names: names, format: format, space: pictures.space,
        pixels: format.pixelFormat(size, in: pictures.space, bitDepth: options.bitDepth))
      if !names.hasNumber, !format.holdsManyFrames, let duration = options.duration, duration.seconds * rate.value > 1 {
        throw CommandFailure(
          "'\(output)' holds one picture: number the files, as in 'frame-%04d.\(format.suffixes[0])', or leave "
            + "--duration out.", .usage)
      }
      let isOne = !names.hasNumber && options.duration == nil
      count = isOne ? 1 : try Self.frames(options.duration?.seconds ?? Self.usualDuration, rate)
      warnings = pictures.warnings
    } else {
      try Self.refusePictureOptions(options)
      let video = try PatternVideo(chosen.pattern, kind, options, output: output)
      canvas = chosen.canvas(size: size, scale: Double(scale), signal: video.signal)
      var settings = MediaWriter.Settings(
        url: output, format: coding.format, encoder: coding.encoder, size: size, layout: video.layout,
        timeBase: Rational(rate.denominator, rate.numerator), frameRate: rate, color: video.color)
      settings.replacesFile = options.overwrite
      settings.preset = coding.preset
      settings.encoderOptions = try coding.parsedEncoderOptions()
      if coding.encoderOptions == nil { settings.encoderOptions = Self.exactOptions[video.encoder ?? ""] ?? [] }
      let isRateChosen = settings.encoderOptions.contains { Self.rateOptions.contains($0.0) }
      let isConstantQuality = Self.encodersWithCRF.contains(video.encoder ?? "") && !isRateChosen
      settings.crf = coding.crf ?? (isConstantQuality ? Self.usualCRF : nil)
      settings.tags = ["title": "\(chosen.text), \(kind.words)"]
      form = .video(settings)
      count = try Self.frames(options.duration?.seconds ?? Self.usualDuration, rate)
      warnings = video.warnings
    }
  }

  private static func check(_ size: Size, _ kind: PatternSignal.Kind, _ pattern: TestPattern) throws {
    guard TestPattern.allows(size) else {
      throw CommandFailure(
        "A pattern has \(TestPattern.leastSize) to \(TestPattern.mostSize) pixels, not \(size): choose another --size.",
        .usage)
    }
    if !pattern.kinds.contains(kind) {
      let kinds = pattern.kinds.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure("\(pattern.name) is made as \(kinds), not as \(kind.rawValue): leave --to out.", .usage)
    }
  }

  private static func frames(_ seconds: Double, _ rate: Rational) throws -> Int {
    let count = max((seconds * rate.value).rounded(), 1)
    guard count <= Double(mostFrames) else {
      throw CommandFailure(
        "\(seconds.words) s are more than \(mostFrames) frames: choose a shorter --duration.", .usage)
    }
    return Int(count)
  }

  /// The drawing of a frame.
  func drawing(frame: Int) -> PatternDrawing { pattern.drawing(on: canvas, frame: frame) }

  /// What will be made, in one line.
  var summary: String {
    let frames = count == 1 ? "one frame" : "\(count) frames"
    return "\(chosen.text) as \(canvas.signal.kind.words), \(canvas.size), \(frames)"
  }
}

extension PatternSignal.Kind {
  /// For messages.
  var words: String {
    switch self {
    case .hdr10: "HDR10"
    case .hlg: "HLG"
    case .sdr: "SDR BT.709"
    }
  }
}
