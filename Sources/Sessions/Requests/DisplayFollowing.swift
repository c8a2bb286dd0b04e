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

  /// - Throws: `Refusal` for a display that cannot be followed.
  package func validate(_ mapping: MappingRequest) throws(Refusal) {
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
  }
}

/// A request that can follow its display.
package protocol DisplayFollowingRequest {
  var mapping: MappingRequest { get }
  var following: DisplayFollowing? { get set }
}

extension DisplayFollowingRequest {
  /// The display of the mapping is followed.
  package var followsDisplay: Bool {
    get { following != nil }
    set {
      let source = mapping.displaySource.map { DisplayFollowing.Source.live($0) } ?? .events([])
      following = newValue ? DisplayFollowing(source) : nil
    }
  }

  /// Seconds that a rise takes; nil: as by default.
  package var headroomRamp: Double? {
    get { following.flatMap { $0.rampDuration == HeadroomRamp.defaultDuration ? nil : $0.rampDuration } }
    set { following?.rampDuration = newValue ?? HeadroomRamp.defaultDuration }
  }
}

extension TranscodeRequest: DisplayFollowingRequest {}
