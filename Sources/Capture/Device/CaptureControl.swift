/// A setting of a device, such as brightness.
///
/// Source: Linux, Documentation/userspace-api/media/v4l/vidioc-queryctrl.rst.
public struct CaptureControl: Sendable, Hashable, Codable {
  /// The type of a control's values.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// An integer of 32 or 64 bits.
    case integer
    /// 0 or 1.
    case boolean
    /// One of its items.
    case menu
    /// An action that setting triggers.
    case button
    /// Flags.
    case bitmask
    /// Text.
    case string
    /// A structure or an array.
    case compound
  }

  /// An item of a menu.
  public struct Item: Sendable, Hashable, Codable {
    /// The value that selects it.
    public let value: Int64
    /// The driver's name; for an integer menu, the number.
    public let name: String
  }

  /// The driver's ID.
  public let id: UInt32
  /// The driver's name.
  public let name: String
  /// The type of its values.
  public let kind: Kind
  /// The minimum value.
  public let minimum: Int64
  /// The maximum value.
  public let maximum: Int64
  /// The step between values.
  public let step: UInt64
  /// The default value.
  public let defaultValue: Int64
  /// The current value; nil if it is not a number or cannot be read.
  public let value: Int64?
  /// The menu items that the device supports.
  public let items: [Item]
  /// Whether it is currently settable.
  public let isSettable: Bool
}
