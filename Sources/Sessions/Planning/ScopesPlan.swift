internal import ColorScience
internal import FFmpegIO
package import Frames
public import ImageFiles
internal import Lettering
internal import Media
internal import Rendering
internal import Scopes
internal import ToneMapping

/// The scopes to draw of an input, and how to write them.
public struct ScopesPlan: Sendable, Hashable, Codable {
  /// The form of the output.
  public enum Form: Sendable, Hashable, Codable {
    /// A video of scopes.
    case video(VideoPlan)
    /// One picture per frame, or a single one.
    case pictures(ImageFormat)
  }

  /// The request.
  public let request: ScopesRequest
  /// The form of the output.
  public let form: Form
  /// Format of the decoded frames.
  package let decoded: PixelFormat
  package let inputChecksum: String
  /// How the input is interpreted.
  public let source: SourcePlan
  /// Scaling and rotation of the picture before counting.
  public let geometry: GeometryPlan
  /// Target of the painted pictures.
  let target: FrameRenderer.Endpoint
  /// The frames to count.
  public private(set) var selection: SelectionPlan
  /// Notes on the input.
  public private(set) var notes: [Message]

  /// - Throws: `Refusal` if the output cannot hold the scopes, `ScopeError` if they do not fit.
  init(_ request: ScopesRequest, reader: any MediaInput, first: CodedFrame) throws {
    self.request = request
    decoded = first.format
    inputChecksum = try Checksum.of(reader, first)
    source = try SourcePlan(
      frame: first, name: reader.info.url, overrides: request.input.overrides, isStrict: request.input.isStrict,
      use: nil)
    notes = source.notes
    geometry = try GeometryPlan(
      reader.video, name: reader.info.url, request.bakesRotation ? .upright : .defaults)
    let size = request.size.scaled(by: request.scale)
    var selected = request.selection
    if let format = request.pictureFormat {
      (form, target) = try Self.pictures(format, size, request)
      let hasNumber = try FileNames.checked(request.url).hasNumber
      if !hasNumber, !selected.isSingle {
        selected.range = FrameRange(first: selected.range?.first ?? 0, last: selected.range?.first ?? 0)
        if !reader.isStill {
          let text: MessageText =
            "Only one frame is drawn: choose it with \(.at) or \(.frames), or put a number in the name to draw them "
            + "all."
          notes.append(Message("one-frame-drawn", text))
        }
      }
    } else {
      (form, target) = try Self.video(like: reader.video, size, request)
      if case .video(let video) = form { notes += video.notes }
    }
    selection = SelectionPlan(selected, first: first, reader)
    _ = try layout()
  }

  private static func pictures(
    _ format: ImageFormat, _ size: Size, _ request: ScopesRequest
  ) throws(Refusal) -> (Form, FrameRenderer.Endpoint) {
    if let parameter = CodingOptions.set(in: request.coding, with: .isForVideo).first {
      throw .invalid(.forVideo(parameter, output: request.url))
    }
    guard format.bitDepths.contains(8), format.spaces.contains(.sRGB) else {
      let allowed = ImageFormat.allCases.filter { $0.bitDepths.contains(8) && $0.spaces.contains(.sRGB) }
      throw .invalid(
        "scopes-need-8-bits",
        "Scopes are 8-bit pictures, which \(format.rawValue) cannot hold: choose "
          + "\(allowed.map(\.rawValue).joined(separator: ", ")) or a video.")
    }
    let pixels = format.pixelFormat(size, in: .sRGB, bitDepth: 8)
    return (.pictures(format), FrameRenderer.Endpoint(format: pixels, transfer: .sRGB(peak: 1)))
  }

  /// - Parameter source: The source, which gives the video its frame rate and time base.
  private static func video(
    like source: VideoStreamInfo, _ size: Size, _ request: ScopesRequest
  ) throws -> (Form, FrameRenderer.Endpoint) {
    let format = try MediaWriter.formatName(url: request.url, format: request.coding.format)
    guard ![.pictures, .animation].contains(ContainerTraits.of(format).family) else {
      throw Refusal.invalid(
        "scopes-format-unsupported",
        "Scopes cannot be written as '\(request.url)': choose png, tiff, avif, jxl or a video.")
    }
    let layout = VideoPlan.layout(request.coding, format: format, color: .bt709)
    var color = ColorDescription.bt709
    if layout.components == .rgb { (color.matrix, color.range) = (.rgb, .full) }
    try request.coding.rate.checkOnePass()
    let video = try VideoPlan(
      request.url, request.coding, format: format, layout: layout, color: color, size: size, like: source,
      overwrites: request.overwrites)
    return (.video(video), FrameRenderer.Endpoint(format: video.pixelFormat, transfer: .bt1886(peak: 1)))
  }

  /// Returns the positions of the scopes.
  private func layout() throws -> ScopeLayout {
    try ScopeLayout(
      kinds: request.kinds, size: request.size.scaled(by: request.scale), scale: Double(request.scale))
  }

  /// Returns the settings for counting.
  func settings() throws -> ScopeSettings {
    ScopeSettings(
      kinds: Set(request.kinds), plane: request.plane ?? .ictcp, columns: try layout().columns,
      rowStep: request.rowStep)
  }

  func painter() throws -> ScopePainter {
    let content = source.interpretation
    let marks = ScopeMarks(
      sdrWhite: request.sdrWhite, referenceWhite: request.referenceWhite,
      peak: request.peak ?? content.metadata?.contentPeak)
    return ScopePainter(
      layout: try layout(), plane: request.plane ?? .ictcp, primaries: content.primaries, marks: marks,
      typeface: try Typeface.default())
  }
}

extension ScopesRequest {
  /// The picture format of the output name; nil: the output is video.
  var pictureFormat: ImageFormat? {
    guard coding.format == nil, coding.encoder == nil, let format = ImageFormat(suffixOf: url), format != .y4m else {
      return nil
    }
    return format
  }
}
