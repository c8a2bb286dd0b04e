internal import Files

/// What the name of a display stands for, and where it is read.
public enum DisplaySource: Sendable, Hashable, Codable {
  /// A preset, which never changes.
  case preset(DisplayModel)
  /// A connector, such as "card0-eDP-1", below a folder that is shaped like `/sys`.
  case connector(String, root: String, store: WhitePointStore)
  /// A file: JSON, or an EDID. Replace it rather than write into it.
  case file(path: String)

  /// The display of a name: a preset, a connector of this machine such as "card0-HDMI-A-1" or "HDMI-A-1", or a file.
  /// - Parameters:
  ///   - name: What the user wrote.
  ///   - root: The folder that is shaped like `/sys`.
  ///   - store: What fine-tunes the white of connected displays.
  /// - Throws: If there is no such display, or nothing is connected to the connector.
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

  /// Whether it can change.
  public var canChange: Bool { if case .preset = self { false } else { true } }

  /// What is connected to the connector.
  public var connected: ConnectedDisplay? {
    if case .connector(let name, let root, let store) = self {
      ConnectedDisplay(name, root: root, store: store)
    } else {
      nil
    }
  }

  /// What the file states, if it is an EDID.
  public var fileEDID: EDID? { if case .file(let path) = self { DisplayModel.edid(in: path) } else { nil } }

  /// The display as it is now.
  /// - Throws: If it cannot be read or used.
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
