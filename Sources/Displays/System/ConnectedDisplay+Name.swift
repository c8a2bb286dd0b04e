internal import Foundation

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
    let edid = try display.edid.get()
    if let adaptation, adaptation.gains(DisplayModel(edid, name: name).primaries) == nil {
      throw .invalidValue(path: name, key: "whitePoint", allowed: WhitePointAdaptation.allowed)
    }
    try store.set(adaptation, for: edid.identity)
  }
}
