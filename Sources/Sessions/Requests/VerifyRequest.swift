public import Frames
public import Patterns
internal import Rendering
internal import ToneMapping

/// A verification that an input shows a test pattern.
public struct VerifyRequest: Sendable, Hashable, Codable {
  /// The input and how to read it.
  public var input: InputRequest
  /// The pattern, with parameters as `NAME=key=value:key=value`.
  public var pattern: String
  /// Kind of video as which the pattern was generated; nil: as the input is tagged.
  public var kind: PatternSignal.Kind?
  /// Original size of the pattern in points, if it was scaled since; nil: the input's.
  public var size: Size?
  /// Pixels per point of the original pattern.
  public var scale = 1
  /// Maximum error of a patch in ΔE ITP.
  public var tolerance: Double?
  /// An intended tone mapping of the pattern; nil: none.
  public var rendition: RenditionRequest?
  /// The frames to measure.
  public var selection = FrameSelection()
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  /// Expects the unchanged pattern, with the default values.
  public init(input: String, pattern: String) {
    self.input = InputRequest(input)
    self.pattern = pattern
  }

  /// Original size of the pattern in pixels; nil: the input's.
  var canvasSize: Size? { size?.scaled(by: scale) }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range.
  public func validate() throws(Refusal) {
    try input.validate()
    try selection.validate()
    try processing.validate()
    if let tolerance, !(tolerance > 0 && tolerance <= 1000) {
      throw .invalid(
        "tolerance-out-of-range", "\(.tolerance) takes a ΔE ITP above 0 and up to 1000, not \(tolerance).")
    }
    guard PatternRequest.scales.contains(scale) else { throw .invalid(.outOfRange(.pointScale, "\(scale)", "1", "8")) }
    if let size, let canvasSize, !TestPattern.allows(canvasSize) {
      throw .invalid(
        "expected-size-out-of-range",
        "\(.size, size) is out of range: \(TestPattern.minimumSize) to \(TestPattern.maximumSize).")
    }
    try rendition?.validate()
  }
}

/// An intended tone mapping of a pattern.
public struct RenditionRequest: Sendable, Hashable, Codable {
  /// As the user wrote it, for reports.
  public var name: String
  /// The mapping; its default kind is the input's.
  public var mapping: MappingRequest
  /// Peak relative to SDR white, instead of a peak; nil: the mapping's.
  public var headroom: Double?

  /// A named mapping; `headroom` is relative to SDR white.
  public init(_ name: String, mapping: MappingRequest, headroom: Double? = nil) {
    self.name = name
    self.mapping = mapping
    self.headroom = headroom
  }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    try mapping.validate()
    guard let headroom else { return }
    guard (1...100).contains(headroom) else {
      throw .invalid(.outOfRange(.expectedHeadroom, "\(headroom)", "1", "100"))
    }
    if mapping.peak != nil { throw .invalid(.exclusive(.expectedHeadroom, .peak)) }
  }

  /// Returns the mapping for an input of this kind.
  func mapping(for kind: PatternSignal.Kind) -> MappingRequest {
    var mapping = mapping
    mapping.chosenKind = mapping.chosenKind ?? OutputKind(kind)
    if let headroom {
      let defaultWhite =
        kind.isSDR ? EDRMetadata.defaultOpticalOutputScale : ToneConditions.defaultReferenceWhite
      let white = mapping.sdrWhite ?? defaultWhite
      (mapping.sdrWhite, mapping.peak) = (white, white * headroom)
    }
    return mapping
  }
}

extension Size {
  /// Converts a size in points to pixels; saturates on overflow, and returns 0 for negative values.
  func scaled(by scale: Int) -> Size {
    func pixels(_ points: Int) -> Int { min(max(points, 0), 1 << 40) * scale }
    return Size(width: pixels(width), height: pixels(height))
  }
}

extension OutputKind {
  init(_ kind: PatternSignal.Kind) {
    switch kind {
    case .hdr10: self = .hdr10
    case .hlg: self = .hlg
    case .sdr, .bt601x525, .bt601x625, .sRGB: self = .sdr
    }
  }
}
