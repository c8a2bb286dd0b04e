/// When a frame is shown.
public struct FrameTime: Sendable, Hashable, Codable {
  /// Presentation time in units of `timeBase`.
  public var presentation: Int64
  /// Duration in units of `timeBase`; 0 if the container does not state it.
  public var duration: Int64
  /// Length of one unit in seconds.
  public var timeBase: Rational

  /// Presentation time and duration in units of `timeBase`.
  public init(presentation: Int64, duration: Int64, timeBase: Rational) {
    self.presentation = presentation
    self.duration = duration
    self.timeBase = timeBase
  }

  /// The range of times in real files, within which sums cannot overflow.
  package static let possible = -(1 << 60 as Int64)...1 << 60

  /// - Throws: `DecodingError` for times outside `possible`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func time(_ key: CodingKeys) throws -> Int64 { try values.decode(Int64.self, forKey: key, in: Self.possible) }
    self.init(
      presentation: try time(.presentation), duration: try time(.duration),
      timeBase: try values.decode(Rational.self, forKey: .timeBase))
  }

  /// Presentation time in seconds.
  public var seconds: Double { Double(presentation) * timeBase.value }
}
