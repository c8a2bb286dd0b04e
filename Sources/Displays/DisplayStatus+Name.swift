internal import Files
internal import Foundation

extension DisplayStatus {
  /// The display of a name: a preset, a connector of this machine such as "card0-HDMI-A-1" or "HDMI-A-1", or a file:
  /// JSON, or an EDID.
  /// - Parameters:
  ///   - name: What the user wrote.
  ///   - root: The folder that is shaped like `/sys`.
  /// - Throws: If there is none of that name, or it cannot be used.
  public init(named name: String, root: String = ConnectedDisplay.systemRoot) throws(DisplayError) {
    if let preset = DisplayModel.preset(named: name) {
      self.init(preset)
      return
    }
    if let connected = ConnectedDisplay.all(root: root).first(where: { $0.isNamed(name) }) {
      self = try connected.status()
      return
    }
    if ConnectedDisplay.connectors(root: root).contains(where: { ConnectedDisplay.isNamed($0, name) }) {
      throw .notConnected(name: name)
    }
    guard FileStatus(name) != nil else { throw .unknown(name: name, presets: DisplayModel.presets.map(\.name)) }
    self.init(try DisplayModel(contentsOf: name))
  }
}

extension ConnectedDisplay {
  /// Where this machine's devices are: `/sys`, unless `HEADROOM_SYSFS` names another folder.
  public static var systemRoot: String { ProcessInfo.processInfo.environment["HEADROOM_SYSFS"] ?? defaultRoot }

  /// The connector with or without its card.
  public func isNamed(_ name: String) -> Bool { Self.isNamed(connector, name) }

  static func isNamed(_ connector: String, _ name: String) -> Bool {
    connector == name || connector.drop { $0 != "-" }.dropFirst() == name
  }
}

extension ConnectedDisplay {
  /// Stores what fine-tunes the white of a display, or forgets it.
  /// - Parameters:
  ///   - adaptation: What was measured, and the target; nil: nothing any more.
  ///   - name: The connector.
  ///   - root: The folder that is shaped like `/sys`.
  ///   - store: Where it is kept.
  /// - Throws: If no such display is connected, if it does not fit the display, or if it cannot be stored.
  public static func setWhitePoint(
    _ adaptation: WhitePointAdaptation?, of name: String, root: String = systemRoot, store: WhitePointStore = .standard
  ) throws(DisplayError) {
    guard let display = all(root: root, store: store).first(where: { $0.isNamed(name) }) else {
      throw .notConnected(name: name)
    }
    let edid = try display.stated()
    if let adaptation, adaptation.gains(DisplayModel(edid, name: name).primaries) == nil {
      throw .invalidValue(path: name, key: "whitePoint", allowed: WhitePointAdaptation.allowed)
    }
    try store.set(adaptation, for: edid.identity)
  }
}

extension DisplayMonitor.Source {
  /// What can be followed under a name; nil for presets, which do not change.
  public init?(_ name: String, root: String = ConnectedDisplay.systemRoot) {
    if DisplayModel.preset(named: name) != nil { return nil }
    if let connected = ConnectedDisplay.all(root: root).first(where: { $0.isNamed(name) }) {
      self = .connector(connected.connector, root: root)
    } else {
      self = .file(path: name)
    }
  }
}
