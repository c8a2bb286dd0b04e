/// Two frames of one stream that a flash, or a lamp that was switched, told apart.
public struct FlashPair: Sendable, Hashable {
  /// What told them apart.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// The request named both frames.
    case stated
    /// The frame is brighter than those before and after it.
    case flash
    /// A lamp was switched on.
    case switchedOn
    /// A lamp was switched off.
    case switchedOff
  }

  /// Number of the frame without the flash.
  public var ambient: Int
  /// Number of the frame with it.
  public var flash: Int
  /// What told them apart.
  public var reason: Reason
  /// The share of the flash in the light of its frame, from 0 to 1; nil if the frames were stated.
  public var flashShare: Double?
  /// The light of the flash divided by how much neighbouring frames differ otherwise; nil if nothing is known of that.
  public var contrast: Double?

  /// All that is known.
  public init(ambient: Int, flash: Int, reason: Reason, flashShare: Double? = nil, contrast: Double? = nil) {
    (self.ambient, self.flash, self.reason) = (ambient, flash, reason)
    (self.flashShare, self.contrast) = (flashShare, contrast)
  }
}
