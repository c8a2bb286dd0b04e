internal import Files
internal import Glibc

/// A display that is connected to this machine, as the kernel shows it in `/sys/class/drm`.
public struct ConnectedDisplay: Sendable {
  /// The connector, such as "card0-HDMI-A-1".
  public let connector: String
  /// What the display states about itself, or why that is not known.
  public let edid: Result<EDID, DisplayError>
  /// The backlight of a built-in display; nil if there is none.
  public let backlight: Backlight?
  /// Number of the I2C bus on which an external one listens; nil if the kernel shows none.
  public let i2cBus: Int32?
  /// What fine-tunes its white, or why that is not known.
  private let whitePoint: Result<WhitePointAdaptation?, DisplayError>

  /// Where the kernel shows devices, unless a test or a container has them elsewhere.
  public static let defaultRoot = "/sys"

  /// The displays of a system, in the order of their connectors.
  /// - Parameters:
  ///   - root: The folder that is shaped like `/sys`.
  ///   - store: What fine-tunes their white.
  public static func all(root: String = defaultRoot, store: WhitePointStore = .standard) -> [ConnectedDisplay] {
    connected(root).compactMap { ConnectedDisplay($0, root: root, store: store) }
  }

  /// What is connected to a connector; nil if nothing is.
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

  /// The connectors of a system to which a display is connected, in order.
  public static func connected(_ root: String) -> [String] {
    connectors(root).filter { Sysfs.text("\(folder(root))/\($0)/status") == "connected" }
  }

  /// The connectors of a system, in order, whether anything is connected to them or not.
  static func connectors(_ root: String) -> [String] {
    (FileLocation.names(in: folder(root)) ?? []).filter { $0.hasPrefix("card") && $0.contains("-") }.sorted()
  }

  private static func folder(_ root: String) -> String { root + "/class/drm" }

  /// The one that names the connector. Firmware's backlights name none: they light the only built-in panel.
  private static func backlight(of name: String, _ all: [Backlight], among connectors: [String]) -> Backlight? {
    if let own = all.first(where: { $0.connector == name }) { return own }
    func isPanel(_ connector: String) -> Bool { ["-eDP-", "-LVDS-", "-DSI-"].contains { connector.contains($0) } }
    guard isPanel(name), connectors.filter(isPanel).count == 1 else { return nil }
    return all.first { $0.connector == nil }
  }

  /// What it can do, by its EDID.
  /// - Throws: If that is missing or cannot be used, or if the stored white point cannot be used.
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

  /// What it is now.
  /// - Throws: If nothing is known of it.
  public func status() throws(DisplayError) -> DisplayStatus {
    let model = try model()
    guard let backlight else { return DisplayStatus(model, brightness: controlledBrightness(model)) }
    guard let level = backlight.level else {
      throw .unreadable(path: connector, reason: "its backlight '\(backlight.name)' does not say how bright it is")
    }
    return DisplayStatus(model, brightness: level)
  }

  /// A monitor at its lowest setting is not dark: that is where its SDR white is lowest.
  private func controlledBrightness(_ model: DisplayModel) -> Double? {
    guard let level = i2cBus.flatMap({ MonitorControl(bus: $0).level }) else { return nil }
    let least = model.minimumSDRWhite / model.sdrWhite
    return least + (1 - least) * level
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
}
