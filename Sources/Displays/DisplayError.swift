/// Why a display, or a description of one, cannot be used.
public enum DisplayError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// There is no preset, connector or file of this name.
  case unknown(name: String, presets: [String])
  /// Nothing is connected to the connector.
  case notConnected(name: String)
  /// The file, or the display of a connector, cannot be read.
  case unreadable(path: String, reason: String)
  /// The file cannot be written.
  case unwritable(path: String, reason: String)
  /// The file of white points cannot be read or used.
  case whitePoints(path: String, reason: String)
  /// It is not an object of JSON: what the decoder says.
  case malformed(path: String, reason: String)
  /// There is no such key.
  case unknownKey(path: String, key: String, known: [String])
  /// It is an EDID, which is not valid.
  case invalidEDID(path: String, EDIDError)
  /// A value is impossible: what is allowed.
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
