internal import Files
internal import Foundation
internal import Glibc

/// A connected display, as listed by the kernel in `/sys/class/drm`.
public struct ConnectedDisplay: Sendable {
  /// The connector, such as "card0-HDMI-A-1".
  public let connector: String
  /// The display's EDID, or the reason why it is not available.
  public let edid: Result<EDID, DisplayError>
  /// The backlight of a built-in display; nil if it has none.
  public let backlight: Backlight?
  /// I2C bus number of an external display; nil if the kernel lists none.
  public let i2cBus: Int32?
  /// The white-point correction, or the reason why it is not available.
  private let whitePoint: Result<WhitePointAdaptation?, DisplayError>

  /// The default root of the device tree; tests and containers may use another.
  public static let defaultRoot = "/sys"

  /// Returns the connected displays of a system, in the order of their connectors.
  /// - Parameters:
  ///   - root: The folder structured like `/sys`.
  ///   - store: The white-point corrections.
  public static func all(root: String = defaultRoot, store: WhitePointStore = .standard) -> [ConnectedDisplay] {
    connected(root).compactMap { ConnectedDisplay($0, root: root, store: store) }
  }

  /// The display at a connector; nil if nothing is connected.
  init?(_ connector: String, root: String, store: WhitePointStore) {
    let connected = Self.connected(root)
    guard connected.contains(connector) else { return nil }
    self.connector = connector
    let folder = "\(Self.folder(root))/\(connector)"
    let edid = Result { () throws(DisplayError) in try Self.edid("\(folder)/edid", of: connector) }
    self.edid = edid
    backlight = Self.backlight(of: connector, Backlight.all(root), among: connected)
    i2cBus = Self.i2cBus(folder)
    let identity = try? edid.get().identity
    whitePoint = Result { () throws(DisplayError) in
      guard let identity else { return nil }
      return try store.adaptations()[identity]
    }
  }

  /// Returns the connectors of a system that have a display, in order.
  public static func connected(_ root: String) -> [String] {
    connectors(root).filter { Sysfs.text("\(folder(root))/\($0)/status") == "connected" }
  }

  /// Returns all connectors of a system, connected or not, in order.
  static func connectors(_ root: String) -> [String] {
    (FileLocation.names(in: folder(root)) ?? []).filter { $0.hasPrefix("card") && $0.contains("-") }.sorted()
  }

  private static func folder(_ root: String) -> String { root + "/class/drm" }

  /// Returns the backlight of a connector. Firmware backlights name no connector: they belong to the only built-in
  /// panel.
  private static func backlight(of name: String, _ all: [Backlight], among connectors: [String]) -> Backlight? {
    if let own = all.first(where: { $0.connector == name }) { return own }
    func isPanel(_ connector: String) -> Bool { ["-eDP-", "-LVDS-", "-DSI-"].contains { connector.contains($0) } }
    guard isPanel(name), connectors.filter(isPanel).count == 1 else { return nil }
    return all.first { $0.connector == nil }
  }

  /// Returns the capabilities according to the EDID.
  /// - Throws: If the EDID is missing or unusable, or the stored white point is unusable.
  public func model() throws(DisplayError) -> DisplayModel {
    var model = DisplayModel(try edid.get(), name: connector)
    if let adaptation = try whitePoint.get() {
      guard adaptation.gains(model.primaries) != nil else {
        throw .invalidValue(path: connector, key: "whitePoint", allowed: WhitePointAdaptation.allowed)
      }
      model.whitePoint = adaptation
    }
    return model
  }

  private static func edid(_ path: String, of connector: String) throws(DisplayError) -> EDID {
    let bytes: [UInt8]
    do { bytes = try Sysfs.bytes(path) } catch {
      throw .unreadable(path: connector, reason: error == .system(ENOENT) ? "it has no EDID" : "its EDID: \(error)")
    }
    if bytes.isEmpty { throw .unreadable(path: connector, reason: "it has no EDID") }
    do { return try EDID(bytes) } catch { throw .invalidEDID(path: connector, error) }
  }

  /// Returns the current status.
  /// - Throws: If the model or the backlight cannot be read.
  public func status() throws(DisplayError) -> DisplayStatus {
    let model = try model()
    guard let backlight else { return DisplayStatus(model, brightness: controlledBrightness(model)) }
    guard let level = backlight.level else {
      throw .unreadable(path: connector, reason: "its backlight '\(backlight.name)' does not say how bright it is")
    }
    return DisplayStatus(model, brightness: level)
  }

  /// At its lowest setting a monitor is not dark: that is its minimum SDR white.
  private func controlledBrightness(_ model: DisplayModel) -> Double? {
    guard let level = i2cBus.flatMap({ MonitorControl(bus: $0).level }) else { return nil }
    let minimum = model.minimumSDRWhite / model.sdrWhite
    return minimum + (1 - minimum) * level
  }

  /// HDMI and DVI have a link to their bus; DisplayPort has the bus in its folder.
  private static func i2cBus(_ connector: String) -> Int32? {
    let names =
      (Sysfs.target("\(connector)/ddc").map { [$0] } ?? []) + (FileLocation.names(in: connector) ?? []).sorted()
    return names.lazy.compactMap { name in
      let last = FileLocation(name).name
      return last.hasPrefix("i2c-") ? Int32(last.dropFirst(4)) : nil
    }.first
  }

  /// The root of this machine's device tree: `/sys`, unless overridden by `HEADROOM_SYSFS`.
  public static var systemRoot: String { ProcessInfo.processInfo.environment["HEADROOM_SYSFS"] ?? defaultRoot }

  /// Returns whether a name matches the connector, with or without its card.
  public func isNamed(_ name: String) -> Bool { Self.isNamed(connector, name) }

  static func isNamed(_ connector: String, _ name: String) -> Bool {
    connector == name || connector.drop { $0 != "-" }.dropFirst() == name
  }

  /// Stores or removes the white-point correction of a display.
  /// - Parameters:
  ///   - adaptation: The measured and target white; nil: removes the correction.
  ///   - name: The connector.
  ///   - root: The folder structured like `/sys`.
  ///   - store: The store to change.
  /// - Throws: If the display is not connected, the correction does not fit it, or storing fails.
  public static func setWhitePoint(
    _ adaptation: WhitePointAdaptation?, of name: String, root: String = systemRoot, store: WhitePointStore = .standard
  ) throws(DisplayError) {
    guard let display = all(root: root, store: store).first(where: { $0.isNamed(name) }) else {
      throw .notConnected(name: name)
    }
    let edid = try display.edid.get()
    if let adaptation, adaptation.gains(DisplayModel(edid, name: name).primaries) == nil {
      throw .invalidValue(path: name, key: "whitePoint", allowed: WhitePointAdaptation.allowed)
    }
    try store.set(adaptation, for: edid.identity)
  }
}
