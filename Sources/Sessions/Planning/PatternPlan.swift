internal import FFmpegIO
public import Frames
public import ImageFiles
internal import Media
public import Patterns

/// A resolved pattern: its canvas, its signal, and its file.
public struct PatternPlan: Sendable, Hashable, Codable {
  /// The form of the file.
  public enum Form: Sendable, Hashable, Codable {
    /// A video of `count` frames.
    case video(VideoPlan)
    /// Code values or light as a picture; several if the name has a number.
    case pictures(ImageFormat, space: ImageSpace, pixels: PixelFormat)
  }

  /// The request.
  public let request: PatternRequest
  /// Kind, range and bit depth of the signal.
  public let signal: PatternSignal
  /// The form of the file.
  public let form: Form
  /// Number of frames.
  public let count: Int
  /// Warnings to show before the run.
  public let warnings: [Message]

  /// Default duration of video in seconds.
  private static let defaultDuration = 5.0
  /// CRF at which encoders keep patches within a code value or two.
  private static let defaultCRF = 10.0
  private static let encodersWithCRF: Set<String> = ["libx264", "libx265", "libsvtav1", "libaom-av1"]
  /// Default x265 options: psychovisual tools would change levels in flat areas by two 12-bit code values.
  private static let exactOptions = [
    "libx265": [("aq-mode", "0"), ("cutree", "0"), ("psy-rd", "0"), ("psy-rdoq", "0"), ("sao", "0"), ("deblock", "0")]
  ]
  /// Maximum number of frames: more than anyone would wait for.
  private static let maximumFrames = 10_000_000

  /// - Throws: `Refusal` if the pattern, the size and the format do not fit together; `PatternError`.
  init(_ request: PatternRequest) throws {
    self.request = request
    let pattern = try ChosenPattern(request.pattern).pattern
    let kind = request.kind ?? pattern.kinds[0]
    if !pattern.kinds.contains(kind) {
      let kinds = pattern.kinds.map(\.rawValue).joined(separator: ", ")
      throw Refusal.invalid(
        "pattern-kind-unavailable",
        "\(pattern.name) is available as \(kinds), not as \(kind.rawValue): omit \(.outputKind).")
    }
    let coding = request.coding
    let isPicture = coding.format == nil && coding.encoder == nil && request.output != "-"
    if isPicture, let format = ImageFormat(suffixOf: request.output), format != .y4m {
      let pictures = try PatternPicture(pattern, kind, format, request)
      (form, count) = try Self.pictures(pictures, format, request)
      (signal, warnings) = (pictures.signal, pictures.warnings)
    } else {
      let video = try PatternVideo(pattern, kind, request)
      form = try .video(Self.video(video, kind, request))
      count = try Self.frames(request.duration ?? Self.defaultDuration, request.frameRate)
      (signal, warnings) = (video.signal, video.warnings)
    }
  }

  private static func pictures(
    _ pictures: PatternPicture, _ format: ImageFormat, _ request: PatternRequest
  ) throws(Refusal) -> (Form, Int) {
    let idle: [Parameter] =
      CodingOptions.set(in: request.coding, with: .isForVideo) + (request.range == nil ? [] : [.range])
      + (request.chromaLocation == nil ? [] : [.chromaLocation])
    if let parameter = idle.first { throw .invalid(.forVideo(parameter, output: request.output)) }
    let hasNumber = try FileNames.checked(request.output).hasNumber
    if !hasNumber, !format.holdsManyFrames, let duration = request.duration, duration * request.frameRate.value > 1 {
      throw .invalid(
        "duration-of-one-picture",
        "'\(request.output)' holds one picture: number the files, as in 'frame-%04d.\(format.suffixes[0])', or omit "
          + "\(.duration).")
    }
    let pixels = format.pixelFormat(
      request.size.scaled(by: request.scale), in: pictures.space, bitDepth: request.bitDepth)
    let isOne = !hasNumber && request.duration == nil
    return (
      .pictures(format, space: pictures.space, pixels: pixels),
      isOne ? 1 : try frames(request.duration ?? defaultDuration, request.frameRate)
    )
  }

  private static func video(
    _ video: PatternVideo, _ kind: PatternSignal.Kind, _ request: PatternRequest
  ) throws -> VideoPlan {
    if request.space != nil {
      throw Refusal.invalid(
        "space-for-pictures", "\(.space) is for pictures (png, exr, tiff, ...), not for video: omit it.")
    }
    if request.bitDepth != nil {
      throw Refusal.invalid(
        "bit-depth-for-pictures",
        "\(.bitDepth) is for pictures (png, exr, tiff, ...), not for video: choose a \(.pixelFormat) instead.")
    }
    let (coding, rate) = (request.coding, request.frameRate.reduced)
    try coding.rate.checkOnePass()
    var plan = try VideoPlan(
      request.output, coding, encoder: video.encoder, layout: video.layout, color: video.color,
      size: request.size.scaled(by: request.scale),
      timeBase: Rational(rate.denominator, rate.numerator), frameRate: rate, overwrites: request.overwrites)
    if coding.encoderOptions == nil, coding.ownOptions.isEmpty {
      plan.encoderOptions = (exactOptions[video.encoder ?? ""] ?? []).map { CodingRequest.Option($0.0, $0.1) }
    }
    let isRateChosen = plan.rate.average != nil || plan.encoderOptions.contains { $0.setsQuality }
    let isConstantQuality = encodersWithCRF.contains(video.encoder ?? "") && !isRateChosen
    plan.crf = coding.crf ?? (isConstantQuality ? defaultCRF : nil)
    plan.tags = ["title": "\(try ChosenPattern(request.pattern).text), \(kind.title)"]
    return plan
  }

  private static func frames(_ seconds: Double, _ rate: Rational) throws(Refusal) -> Int {
    let count = max((seconds * rate.value).rounded(), 1)
    guard count <= Double(maximumFrames) else {
      throw .invalid(
        "pattern-too-long",
        "\(seconds.words) s is more than \(maximumFrames.counting("frame")): choose a shorter \(.duration).")
    }
    return Int(count)
  }

  /// Returns the canvas on which the pattern is drawn.
  /// - Throws: `PatternError` if the plan's pattern does not exist.
  public func canvas() throws -> PatternCanvas {
    try ChosenPattern(request.pattern).canvas(
      size: request.size.scaled(by: request.scale), scale: Double(request.scale), signal: signal)
  }

  /// Format in which frames are painted.
  var pixelFormat: PixelFormat {
    switch form {
    case .video(let video): video.pixelFormat
    case .pictures(_, _, let pixels): pixels
    }
  }

  /// Luminance in cd/m² of 1.0 in linear samples; nil for code values.
  var linearUnit: Double? {
    guard case .pictures(_, let space, _) = form, space.isLinear else { return nil }
    return PatternPicturePainter(signal, in: space).unit
  }

  /// Returns the HDR metadata: for HDR10, a mastering display with the pattern's peak, and the light of its pixels.
  func metadata(_ light: PatternLight) -> HDRMetadata {
    var metadata = HDRMetadata(linearUnit: linearUnit)
    guard signal.kind == .hdr10 else { return metadata }
    metadata.masteringDisplay = .pattern(light)
    metadata.contentLight = light.contentLight
    return metadata
  }
}

extension PatternPicturePainter {
  init(_ signal: PatternSignal, in space: ImageSpace) {
    self.init(signal, primaries: space.primaries, transfer: space.transfer)
  }
}

extension MasteringDisplay {
  /// Minimum peak in cd/m² of a pattern's mastering display.
  private static let defaultPeak = 1000.0

  /// Returns the mastering display of a pattern: BT.2020, as bright as the pattern.
  static func pattern(_ light: PatternLight) -> MasteringDisplay {
    .bt2020(peak: max(defaultPeak, Double(light.contentLight.maxCLL)))
  }
}
