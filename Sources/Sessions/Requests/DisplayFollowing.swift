public import Displays

/// How a run follows its display while frames are rendered.
///
/// When the headroom falls, the next frame has the new one: nothing exceeds what the display can do. A rise is ramped. What the output
/// states of its light holds for whatever the display becomes.
public struct DisplayFollowing: Sendable, Hashable, Codable {
  /// A display from a time of the input on.
  public struct Event: Sendable, Hashable, Codable {
    /// In seconds.
    public var time: Double
    /// What it is from then on.
    public var status: DisplayStatus

    /// A display, and when it begins to be so.
    public init(time: Double, _ status: DisplayStatus) { (self.time, self.status) = (time, status) }
  }

  /// What is followed.
  public enum Source: Sendable, Hashable, Codable {
    /// A connector or a file, while it changes.
    case live(DisplaySource)
    /// Changes at known times of the input: they always give the same frames.
    case events([Event])
  }

  /// What is followed.
  public var source: Source
  /// Seconds of the input that a rise of the headroom takes.
  public var rampDuration = HeadroomRamp.defaultDuration

  /// With a ramp of one second.
  public init(_ source: Source) { self.source = source }

  /// - Throws: `Refusal` for an impossible ramp.
  func validate(_ mapping: MappingRequest) throws(Refusal) {
    guard (0...60).contains(rampDuration) else {
      throw .invalid(.outOfRange(.headroomRamp, "\(rampDuration)", "0.0", "60.0 s"))
    }
    let canChange = if case .live(let source) = source { source.canChange } else { true }
    guard mapping.display != nil, canChange else {
      throw .invalid(
        "nothing-to-follow",
        "\(.follow) needs a display that can change: give \(.display) a connector of this machine, or a file.")
    }
    if mapping.kind == .hlg {
      throw .invalid(
        "hlg-not-followed",
        "\(.follow) is for \(.outputKind, "hdr10") and \(.outputKind, "sdr"): HLG is fitted to the headroom by the "
          + "display that shows it.")
    }
    if mapping.peak != nil { throw .invalid(.exclusive(.follow, .peak)) }
    if mapping.headroom != nil { throw .invalid(.exclusive(.follow, .headroom)) }
    if mapping.sdrWhite != nil { throw .invalid(.exclusive(.follow, .sdrWhite)) }
  }
}
