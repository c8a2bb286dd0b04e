public import Displays

/// How a run follows its display while frames are rendered.
///
/// When the headroom falls, the next frame uses the new value, so that no frame exceeds the display. A rise is ramped.
/// Light metadata of the output is valid for any state of the display.
public struct DisplayFollowing: Sendable, Hashable, Codable {
  /// A change of the display at an input time.
  public struct Event: Sendable, Hashable, Codable {
    /// In seconds.
    public var time: Double
    /// Its status from then on.
    public var status: DisplayStatus

    /// A display status from a time on.
    public init(time: Double, _ status: DisplayStatus) { (self.time, self.status) = (time, status) }
  }

  /// The source of changes.
  public enum Source: Sendable, Hashable, Codable {
    /// A connector or a file, monitored live.
    case live(DisplaySource)
    /// Changes at fixed input times, which always give the same frames.
    case events([Event])
  }

  /// The source of changes.
  public var source: Source
  /// Duration in seconds of input time over which a rise of the headroom is ramped.
  public var rampDuration = HeadroomRamp.defaultDuration

  /// Follows a source, with a ramp of one second.
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

  /// Duration of a ramp in seconds; nil: the default.
  package var headroomRamp: Double? {
    get { following.flatMap { $0.rampDuration == HeadroomRamp.defaultDuration ? nil : $0.rampDuration } }
    set { following?.rampDuration = newValue ?? HeadroomRamp.defaultDuration }
  }
}

extension TranscodeRequest: DisplayFollowingRequest {}
