internal import Files
internal import Foundation
internal import Glibc
internal import Synchronization

/// A kernel-controlled backlight: a folder in `/sys/class/backlight`.
///
/// Source: Linux, Documentation/ABI/stable/sysfs-class-backlight.
public struct Backlight: Sendable, Hashable {
  /// The scale of brightness values.
  public enum Scale: String, Sendable, Hashable {
    /// Proportional to luminance.
    case linear
    /// Proportional to perceived lightness.
    case perceptual = "non-linear"
    /// Not stated by the driver; treated as linear, which most are.
    case unknown
  }

  /// The kernel's name.
  public let name: String
  private let folder: String

  init(name: String, folder: String) { (self.name, self.folder) = (name, folder) }

  /// The scale of its values.
  public var scale: Scale { Sysfs.text("\(folder)/scale").flatMap(Scale.init) ?? .unknown }

  /// Luminance relative to full brightness, 0...1; nil if it cannot be read.
  public var level: Double? {
    guard let maximum = Sysfs.number("\(folder)/max_brightness"), maximum > 0,
      let now = Sysfs.number("\(folder)/actual_brightness") ?? Sysfs.number("\(folder)/brightness"), now >= 0
    else { return nil }
    let share = min(Double(now) / Double(maximum), 1)
    return scale == .perceptual ? Self.luminance(ofLightness: share) : share
  }

  /// Source: ISO/CIE 11664-4, the inverse of CIE 1976 L*.
  private static func luminance(ofLightness share: Double) -> Double {
    let lightness = share * 100
    return lightness > 8 ? pow((lightness + 16) / 116, 3) : lightness * 27 / 24389
  }

  /// Returns the backlights of a system.
  static func all(_ root: String) -> [Backlight] {
    let folder = root + "/class/backlight"
    return (FileLocation.names(in: folder) ?? []).sorted().map { Backlight(name: $0, folder: "\(folder)/\($0)") }
  }

  /// The connector of its panel, such as "card0-eDP-1"; nil if not stated by the kernel.
  var connector: String? {
    guard let path = Sysfs.target("\(folder)/device") else { return nil }
    let last = path.split(separator: "/").last.map(String.init)
    return last.flatMap { $0.hasPrefix("card") && $0.contains("-") ? $0 : nil }
  }
}

/// Small kernel files.
enum Sysfs {
  /// Attributes are at most a page, EDIDs at most 256 blocks of 128 bytes.
  private static let largest = 256 * 128

  static func bytes(_ path: String) throws(SmallFile.Failure) -> [UInt8] {
    try SmallFile.bytes(of: path, upTo: largest)
  }

  /// Returns the whole text, without surrounding white space.
  static func text(_ path: String) -> String? {
    (try? bytes(path)).map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  static func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

  /// Returns the target of a symbolic link.
  static func target(_ path: String) -> String? { try? FileManager.default.destinationOfSymbolicLink(atPath: path) }
}

/// The brightness control of an external monitor, read over DDC/CI with libddcutil if that is installed.
///
/// Source: VESA DDC/CI 1.1; VESA MCCS 2.2a, code 10h, "luminance".
struct MonitorControl: Sendable, Hashable {
  /// Number of the I2C bus, as in `/dev/i2c-5`.
  let bus: CInt

  /// Polling interval: a reply takes a tenth of a second, and monitors are not designed for frequent requests.
  private static let interval = Duration.seconds(2)

  private static let answers = Mutex<[CInt: (level: Double?, time: ContinuousClock.Instant)]>([:])

  /// The brightness setting, 0...1 of its range; nil if the monitor has never replied. Polled every other second at
  /// most, by one thread at a time. If a reply is lost, the last value holds.
  var level: Double? {
    Self.answers.withLock { answers in
      let known = answers[bus]
      if let known, .now - known.time < Self.interval { return known.level }
      let level = DDCUtil.shared?.luminance(bus: bus) ?? known?.level
      answers[bus] = (level, .now)
      return level
    }
  }
}

/// libddcutil, loaded on first use: the package does not depend on it.
///
/// Source: ddcutil 1.4, ddcutil_c_api.h.
@safe private struct DDCUtil: Sendable {
  // @safe: functions are called according to the header, and none of their results outlives a call of `luminance`.
  private typealias Object = UnsafeMutableRawPointer?
  private typealias Result = UnsafeMutablePointer<Object>
  private typealias Identify = @convention(c) (CInt, Result) -> CInt
  private typealias Find = @convention(c) (Object, Result) -> CInt
  private typealias Open = @convention(c) (Object, Bool, Result) -> CInt
  private typealias Read = @convention(c) (Object, UInt8, UnsafeMutableRawPointer) -> CInt
  private typealias End = @convention(c) (Object) -> CInt
  private typealias Redirect = @convention(c) (Object) -> Void

  private let identify: Identify
  private let find: Find
  private let open: Open
  private let read: Read
  private let close: End
  private let release: End
  private let redirectOutput: Redirect
  private let redirectErrors: Redirect

  static let shared = DDCUtil()

  /// Versions 1 and 2 have the same functions.
  private static let names = ["libddcutil.so.4", "libddcutil.so.5"]
  private static let luminance: UInt8 = 0x10

  private init?() {
    let library = unsafe Self.names.lazy.compactMap { unsafe dlopen($0, RTLD_NOW | RTLD_LOCAL) }.first
    guard let library = unsafe library else { return nil }
    func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
      unsafe dlsym(library, "ddca_" + name).map { unsafe unsafeBitCast($0, to: type) }
    }
    guard let identify = unsafe function("create_busno_display_identifier", Identify.self),
      let find = unsafe function("get_display_ref", Find.self), let open = unsafe function("open_display2", Open.self),
      let read = unsafe function("get_non_table_vcp_value", Read.self),
      let close = unsafe function("close_display", End.self),
      let release = unsafe function("free_display_identifier", End.self),
      let redirectOutput = unsafe function("set_fout", Redirect.self),
      let redirectErrors = unsafe function("set_ferr", Redirect.self)
    else { return nil }
    unsafe (self.identify, self.find, self.open, self.read) = (identify, find, open, read)
    unsafe (self.close, self.release) = (close, release)
    unsafe (self.redirectOutput, self.redirectErrors) = (redirectOutput, redirectErrors)
  }

  /// Returns the luminance control relative to its maximum.
  func luminance(bus: CInt) -> Double? {
    // It prints messages to standard output, which is reserved for results.
    redirectOutput(nil)
    redirectErrors(nil)
    var (identifier, display, handle): (Object, Object, Object) = (nil, nil, nil)
    guard unsafe identify(bus, &identifier) == 0 else { return nil }
    defer { _ = unsafe release(identifier) }
    guard unsafe find(identifier, &display) == 0, unsafe open(display, false, &handle) == 0 else { return nil }
    defer { _ = unsafe close(handle) }
    // Maximum and current value, each with its high byte first.
    var value: InlineArray<4, UInt8> = [0, 0, 0, 0]
    guard unsafe withUnsafeMutableBytes(of: &value, { unsafe read(handle, Self.luminance, $0.baseAddress!) }) == 0
    else { return nil }
    let maximum = Int(value[0]) << 8 | Int(value[1])
    let now = Int(value[2]) << 8 | Int(value[3])
    return maximum > 0 ? min(Double(now) / Double(maximum), 1) : nil
  }
}
