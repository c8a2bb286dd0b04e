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
