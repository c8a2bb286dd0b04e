internal import Files

/// A display that is connected to this machine, as the kernel shows it in `/sys/class/drm`.
public struct ConnectedDisplay: Sendable {
  /// The connector, such as "card0-HDMI-A-1".
  public let connector: String
  /// What the display states about itself; an error if that cannot be used, nil if it states nothing.
  public let edid: Result<EDID, EDIDError>?
  /// The backlight of a built-in display; nil if there is none.
  public let backlight: Backlight?

  /// Where the kernel shows devices, unless a test or a container has them elsewhere.
  public static let defaultRoot = "/sys"

  /// The displays of a system, in the order of their connectors.
  /// - Parameter root: The folder that is shaped like `/sys`.
  public static func all(root: String = defaultRoot) -> [ConnectedDisplay] {
    let folder = Self.folder(root)
    let backlights = Backlight.all(root)
    let connected = connectors(root: root).filter { Sysfs.text("\(folder)/\($0)/status") == "connected" }
    return connected.map { name in
      let bytes = Sysfs.bytes("\(folder)/\(name)/edid") ?? []
      let edid = bytes.isEmpty ? nil : Result { () throws(EDIDError) in try EDID(bytes) }
      return ConnectedDisplay(
        connector: name, edid: edid, backlight: Self.backlight(of: name, backlights, among: connected))
    }
  }

  /// The connectors of a system, in order, whether anything is connected to them or not.
  static func connectors(root: String) -> [String] {
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

  /// What it can do, by its EDID; nil if that is missing or cannot be used.
  public var model: DisplayModel? {
    guard case .success(let edid) = edid else { return nil }
    return DisplayModel(edid, name: connector)
  }

  /// What it is now.
  public var status: DisplayStatus? { model.map { DisplayStatus($0, brightness: backlight?.level) } }
}
