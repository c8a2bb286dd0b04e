internal import Files

/// The source that a display name refers to.
public enum DisplaySource: Sendable, Hashable, Codable {
  /// A preset; never changes.
  case preset(DisplayModel)
  /// A connector, such as "card0-eDP-1", below a folder structured like `/sys`.
  case connector(String, root: String, store: WhitePointStore)
  /// A file: JSON or an EDID. Replace it rather than writing in place.
  case file(path: String)

  /// Resolves a display name: a preset, a connector of this machine such as "card0-HDMI-A-1" or "HDMI-A-1", or a file.
  /// - Parameters:
  ///   - name: The name as entered.
  ///   - root: The folder structured like `/sys`.
  ///   - store: The white-point corrections of connected displays.
  /// - Throws: If the display does not exist, or nothing is connected to the connector.
  public init(
    named name: String, root: String = ConnectedDisplay.systemRoot, store: WhitePointStore = .standard
  ) throws(DisplayError) {
    if let preset = DisplayModel.preset(named: name) {
      self = .preset(preset)
    } else if let connector = ConnectedDisplay.connected(root).first(where: { ConnectedDisplay.isNamed($0, name) }) {
      self = .connector(connector, root: root, store: store)
    } else if ConnectedDisplay.connectors(root).contains(where: { ConnectedDisplay.isNamed($0, name) }) {
      throw .notConnected(name: name)
    } else if FileStatus(name) != nil {
      self = .file(path: name)
    } else {
      throw .unknown(name: name, presets: DisplayModel.presets.map(\.name))
    }
  }

  /// Whether the display can change.
  public var canChange: Bool { if case .preset = self { false } else { true } }

  /// The display at the connector.
  public var connected: ConnectedDisplay? {
    if case .connector(let name, let root, let store) = self {
      ConnectedDisplay(name, root: root, store: store)
    } else {
      nil
    }
  }

  /// The EDID in the file, if it is one.
  public var fileEDID: EDID? { if case .file(let path) = self { DisplayModel.edid(in: path) } else { nil } }

  /// Returns the current status.
  /// - Throws: If the display cannot be read or used.
  public func status() throws(DisplayError) -> DisplayStatus {
    switch self {
    case .preset(let model): return DisplayStatus(model)
    case .file(let path): return DisplayStatus(try DisplayModel(contentsOf: path))
    case .connector(let name, let root, let store):
      guard let display = ConnectedDisplay(name, root: root, store: store) else { throw .notConnected(name: name) }
      return try display.status()
    }
  }
}
