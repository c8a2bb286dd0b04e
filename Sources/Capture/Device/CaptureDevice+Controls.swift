internal import CV4L2
public import Frames

extension CaptureDevice {
  /// Maximum number of controls, and of items of a menu, to query: a faulty driver might never end its list.
  private static let mostControls = 1024
  private static let mostItems: Int64 = 256

  /// The controls in the order of their IDs.
  public var controls: [CaptureControl] {
    var controls: [CaptureControl] = []
    var last: UInt32 = 0
    for _ in 0..<Self.mostControls {
      var query = v4l2_query_ext_ctrl()
      query.id = last | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
      // IDs must rise, otherwise the list would loop.
      guard attempt(DeviceRequests.queryControl, &query) == 0, query.id > last else { break }
      last = query.id
      if let control = control(query) { controls.append(control) }
    }
    return controls
  }

  /// - Returns: nil for the heading of a control class, and for a disabled control.
  private func control(_ query: v4l2_query_ext_ctrl) -> CaptureControl? {
    func has(_ flag: Int32) -> Bool { query.flags & UInt32(bitPattern: flag) != 0 }
    guard !has(V4L2_CTRL_FLAG_DISABLED), let kind = CaptureControl.Kind(query) else { return nil }
    let isNumber = [.integer, .boolean, .menu, .bitmask].contains(kind) && !has(V4L2_CTRL_FLAG_WRITE_ONLY)
    return CaptureControl(
      id: query.id, name: text(of: query.name), kind: kind, minimum: query.minimum, maximum: query.maximum,
      step: query.step, defaultValue: query.default_value,
      value: isNumber ? number(query.id, isLong: query.type == V4L2_CTRL_TYPE_INTEGER64.rawValue) : nil,
      items: kind == .menu ? items(of: query) : [],
      isSettable: !has(V4L2_CTRL_FLAG_READ_ONLY) && !has(V4L2_CTRL_FLAG_INACTIVE) && !has(V4L2_CTRL_FLAG_GRABBED))
  }

  private func items(of query: v4l2_query_ext_ctrl) -> [CaptureControl.Item] {
    let (first, last) = (max(query.minimum, 0), min(query.maximum, Int64(UInt32.max)))
    guard first <= last else { return [] }
    return (first...min(last, first + Self.mostItems - 1)).compactMap { value in
      var menu = v4l2_querymenu()
      (menu.id, menu.index) = (query.id, UInt32(value))
      guard attempt(DeviceRequests.queryMenu, &menu) == 0 else { return nil }
      let isNumbers = query.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue
      return CaptureControl.Item(value: value, name: isNumbers ? "\(menu.value)" : text(of: menu.name))
    }
  }

  /// Returns the value of an integer control.
  func number(_ id: UInt32, isLong: Bool) -> Int64? {
    var control = unsafe v4l2_ext_control()
    unsafe control.id = id
    guard unsafe get(&control) == 0 else { return nil }
    return unsafe isLong ? control.value64 : Int64(control.value)
  }

  /// Reads a control.
  /// - Returns: 0, or an `errno` value.
  @unsafe private func get(_ control: inout v4l2_ext_control) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &control) { control in
      var controls = unsafe v4l2_ext_controls()
      unsafe (controls.count, controls.controls) = (1, control)
      return unsafe attempt(DeviceRequests.getControls, &controls)
    }
  }

  /// Returns the value of a compound control; nil if the device does not have it.
  private func structure<Value>(_ id: UInt32, _ initial: Value) -> Value? {
    var value = initial
    var control = unsafe v4l2_ext_control()
    unsafe (control.id, control.size) = (id, UInt32(MemoryLayout<Value>.size))
    let code = unsafe withUnsafeMutablePointer(to: &value) { value in
      unsafe control.ptr = UnsafeMutableRawPointer(value)
      return unsafe get(&control)
    }
    return code == 0 ? value : nil
  }

  static let contentLightID = UInt32(V4L2_CID_COLORIMETRY_HDR10_CLL_INFO)
  static let masteringDisplayID = UInt32(V4L2_CID_COLORIMETRY_HDR10_MASTERING_DISPLAY)

  /// The source's HDR metadata, as far as the driver passes it on.
  public var metadata: HDRMetadata {
    HDRMetadata(masteringDisplay: masteringDisplay, contentLight: contentLight)
  }

  private var contentLight: ContentLight? {
    guard let info = structure(Self.contentLightID, v4l2_ctrl_hdr10_cll_info()) else { return nil }
    let light = ContentLight(maxCLL: info.max_content_light_level, maxFALL: info.max_pic_average_light_level)
    return light.maxCLL == 0 && light.maxFALL == 0 ? nil : light
  }

  /// Source: Linux, Documentation/userspace-api/media/v4l/ext-ctrls-colorimetry.rst: the order of primaries is green,
  /// blue, red.
  private var masteringDisplay: MasteringDisplay? {
    guard let info = structure(Self.masteringDisplayID, v4l2_ctrl_hdr10_mastering_display()),
      info.max_display_mastering_luminance > 0
    else { return nil }
    let (x, y) = (info.display_primaries_x, info.display_primaries_y)
    return MasteringDisplay(
      red: .init(x: x.2, y: y.2), green: .init(x: x.0, y: y.0), blue: .init(x: x.1, y: y.1),
      white: .init(x: info.white_point_x, y: info.white_point_y), maxLuminance: info.max_display_mastering_luminance,
      minLuminance: info.min_display_mastering_luminance)
  }
}

extension CaptureControl.Kind {
  /// - Returns: nil for the heading of a control class.
  fileprivate init?(_ query: v4l2_query_ext_ctrl) {
    if query.flags & UInt32(V4L2_CTRL_FLAG_HAS_PAYLOAD) != 0, query.type != V4L2_CTRL_TYPE_STRING.rawValue {
      self = .compound
      return
    }
    switch query.type {
    case V4L2_CTRL_TYPE_CTRL_CLASS.rawValue: return nil
    case V4L2_CTRL_TYPE_BOOLEAN.rawValue: self = .boolean
    case V4L2_CTRL_TYPE_MENU.rawValue, V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: self = .menu
    case V4L2_CTRL_TYPE_BUTTON.rawValue: self = .button
    case V4L2_CTRL_TYPE_BITMASK.rawValue: self = .bitmask
    case V4L2_CTRL_TYPE_STRING.rawValue: self = .string
    case V4L2_CTRL_TYPE_INTEGER.rawValue, V4L2_CTRL_TYPE_INTEGER64.rawValue: self = .integer
    default: self = .compound
    }
  }
}

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
