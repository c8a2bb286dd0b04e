internal import Glibc
internal import Synchronization

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
    let most = Int(value[0]) << 8 | Int(value[1])
    let now = Int(value[2]) << 8 | Int(value[3])
    return most > 0 ? min(Double(now) / Double(most), 1) : nil
  }
}
