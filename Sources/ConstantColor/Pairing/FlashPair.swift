/// Two frames of a stream that differ by a flash, or by a lamp that was switched.
public struct FlashPair: Sendable, Hashable {
  /// What distinguishes the frames.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// Both frames were stated in the request.
    case stated
    /// The frame is brighter than its neighbours.
    case flash
    /// A lamp was switched on.
    case switchedOn
    /// A lamp was switched off.
    case switchedOff
  }

  /// Number of the frame without the flash.
  public var ambient: Int
  /// Number of the frame with the flash.
  public var flash: Int
  /// What distinguishes the frames.
  public var reason: Reason
  /// The share of the flash in the light of its frame, from 0 to 1; nil if the frames were stated.
  public var flashShare: Double?
  /// Light of the flash relative to the usual difference between neighbouring frames; nil: unknown.
  public var contrast: Double?

  /// Creates a pair from its values.
  public init(ambient: Int, flash: Int, reason: Reason, flashShare: Double? = nil, contrast: Double? = nil) {
    (self.ambient, self.flash, self.reason) = (ambient, flash, reason)
    (self.flashShare, self.contrast) = (flashShare, contrast)
  }
}
