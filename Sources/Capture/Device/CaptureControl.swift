/// A setting of a device, such as brightness.
///
/// Source: Linux, Documentation/userspace-api/media/v4l/vidioc-queryctrl.rst.
public struct CaptureControl: Sendable, Hashable, Codable {
  /// What values a control has.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A number, of 32 or 64 bits.
    case integer
    /// 0 or 1.
    case boolean
    /// One of its items.
    case menu
    /// Something that happens when it is set.
    case button
    /// Flags.
    case bitmask
    /// Text.
    case string
    /// A structure or an array.
    case compound
  }

  /// A choice of a menu.
  public struct Item: Sendable, Hashable, Codable {
    /// The value that chooses it.
    public let value: Int64
    /// What the driver calls it; of a menu of numbers the number.
    public let name: String
  }

  /// The driver's number for it.
  public let id: UInt32
  /// What the driver calls it.
  public let name: String
  /// What values it has.
  public let kind: Kind
  /// The smallest value.
  public let minimum: Int64
  /// The largest value.
  public let maximum: Int64
  /// What values differ by.
  public let step: UInt64
  /// The value that it begins with.
  public let defaultValue: Int64
  /// The value that it has; nil if it is no number or cannot be read.
  public let value: Int64?
  /// The choices of a menu, without those that the device does not have.
  public let items: [Item]
  /// Whether it can be set now.
  public let isSettable: Bool
}
