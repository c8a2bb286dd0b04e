internal import Files

/// The current status of a display.
public struct DisplayStatus: Sendable, Hashable, Codable {
  /// Its capabilities.
  public var model: DisplayModel
  /// SDR white relative to the model's, as set by a brightness control: usually 0...1; nil: no control.
  public var brightness: Double?
  /// The headroom reached so far by a ramp; nil: the display's full headroom.
  public var rampedHeadroom: Double?

  /// A display, with the current fraction of its SDR white.
  public init(_ model: DisplayModel, brightness: Double? = nil) { (self.model, self.brightness) = (model, brightness) }

  /// Luminance of SDR white in cd/m². Fixed in reference mode.
  public var sdrWhite: Double {
    if model.isReferenceModeEnabled, model.supportsReferenceMode { return min(ReferenceMode.sdrWhite, model.peak) }
    return min(max(model.sdrWhite * (brightness ?? 1), Self.darkest), model.peak)
  }

  /// Minimum SDR white in cd/m²: keeps the headroom of a dark screen finite.
  private static let darkest = 1.0

  /// The current headroom, limited by a ramp. At least 1.
  public var currentHeadroom: Double { min(headroom, max(rampedHeadroom ?? .infinity, 1)) }

  /// The current headroom: peak over SDR white at the current brightness, at most the potential headroom. At least 1.
  private var headroom: Double {
    if model.isReferenceModeEnabled, model.supportsReferenceMode {
      return min(max(model.peak / sdrWhite, 1), ReferenceMode.headroom)
    }
    return min(max(model.peak / sdrWhite, 1), model.potentialHeadroom)
  }

  /// The maximum headroom. Reference mode may have a lower SDR white than any brightness setting.
  public var potentialHeadroom: Double { max(model.potentialHeadroom, headroom) }

  /// The headroom up to which values are shown unchanged; 0 without a reference mode.
  public var referenceHeadroom: Double { model.referenceHeadroom }

  /// The status of reference mode.
  public var referenceMode: ReferenceMode.Status {
    ReferenceMode.status(
      isSupported: model.supportsReferenceMode, isEnabled: model.isReferenceModeEnabled, headroom: currentHeadroom)
  }
}

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

/// A reason why a display, or a description of one, cannot be used.
public enum DisplayError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// No preset, connector or file has this name.
  case unknown(name: String, presets: [String])
  /// Nothing is connected to the connector.
  case notConnected(name: String)
  /// The file or the connector's display cannot be read.
  case unreadable(path: String, reason: String)
  /// The file cannot be written.
  case unwritable(path: String, reason: String)
  /// The white-point file cannot be read or used.
  case whitePoints(path: String, reason: String)
  /// The file is not a JSON object: the decoder's reason.
  case malformed(path: String, reason: String)
  /// The key is unknown.
  case unknownKey(path: String, key: String, known: [String])
  /// The file is an invalid EDID.
  case invalidEDID(path: String, EDIDError)
  /// A value is out of range: the allowed range.
  case invalidValue(path: String, key: String, allowed: String)

  public var description: String {
    switch self {
    case .unknown(let name, let presets):
      "There is no display '\(name)': name a preset (\(presets.joined(separator: ", "))), a connector of this machine, or a file."
    case .notConnected(let name): "No display is connected to '\(name)'."
    case .unreadable(let path, let reason): "Cannot read the display '\(path)': \(reason)."
    case .unwritable(let path, let reason): "Cannot write '\(path)': \(reason)."
    case .whitePoints(let path, let reason): "The white points in '\(path)' cannot be used: \(reason)."
    case .malformed(let path, let reason): "'\(path)' describes no display: \(reason)."
    case .unknownKey(let path, let key, let known):
      "'\(path)' has an unknown key '\(key)': use \(known.joined(separator: ", "))."
    case .invalidEDID(let path, let error): "'\(path)' is not a valid EDID: \(error)."
    case .invalidValue(let path, let key, let allowed): "'\(key)' in '\(path)' is not valid: \(allowed)."
    }
  }
}
