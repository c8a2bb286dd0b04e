internal import Foundation

extension ConnectedDisplay {
  /// The root of this machine's device tree: `/sys`, unless overridden by `HEADROOM_SYSFS`.
  public static var systemRoot: String { ProcessInfo.processInfo.environment["HEADROOM_SYSFS"] ?? defaultRoot }

  /// Returns whether a name matches the connector, with or without its card.
  public func isNamed(_ name: String) -> Bool { Self.isNamed(connector, name) }

  static func isNamed(_ connector: String, _ name: String) -> Bool {
    connector == name || connector.drop { $0 != "-" }.dropFirst() == name
  }
}

extension ConnectedDisplay {
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
