internal import ColorScience
internal import Files
internal import Foundation

/// The user's white-point corrections in a JSON file, keyed by display identity from the EDID.
public struct WhitePointStore: Sendable, Hashable, Codable {
  /// The file.
  public let path: String

  private static let largestFile = 1 << 20

  /// Creates a store in a file, which need not exist.
  public init(path: String) { self.path = path }

  /// The user's store: `headroom/white-points.json` in `$XDG_CONFIG_HOME`, or in `~/.config`.
  ///
  /// Source: XDG Base Directory Specification 0.8.
  public static var standard: WhitePointStore {
    let environment = ProcessInfo.processInfo.environment
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return WhitePointStore(path: (folder ?? "\(NSHomeDirectory())/.config") + "/headroom/white-points.json")
  }

  /// Returns all corrections.
  /// - Throws: If the file exists but cannot be read or used: ignoring it would silently give wrong colours.
  public func adaptations() throws(DisplayError) -> [String: WhitePointAdaptation] {
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.bytes(of: path, upTo: Self.largestFile)
    } catch {
      if error == .system(ENOENT) || error == .system(ENOTDIR) { return [:] }
      throw .whitePoints(path: path, reason: "\(error)")
    }
    do { return try JSONDecoder().decode([String: WhitePointAdaptation].self, from: Data(bytes)) } catch {
      throw .whitePoints(path: path, reason: "it does not hold white points by display")
    }
  }

  /// Stores or removes a correction.
  /// - Parameters:
  ///   - adaptation: The measured and target white; nil: removes the correction.
  ///   - identity: `EDID.identity` of the display.
  /// - Throws: If the file cannot be read or written.
  public func set(_ adaptation: WhitePointAdaptation?, for identity: String) throws(DisplayError) {
    var all = try adaptations()
    all[identity] = adaptation
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try FileLocation.makeFolder(FileLocation(path).folder)
      try DurableFile.replace(path, Array(encoder.encode(all)))
    } catch {
      let code = (error as? DurableFile.Failure)?.code ?? (error as? FileLocation.FolderFailure)?.code
      throw .unwritable(path: path, reason: code.map { unsafe String(cString: strerror($0)) } ?? "\(error)")
    }
  }
}

extension EDID {
  /// Identifies a display by manufacturer, product and serial number.
  public var identity: String {
    let serial = serialText ?? serialNumber.map { String($0) }
    return ([manufacturer, String(format: "%04x", product)] + (serial.map { [$0] } ?? [])).joined(separator: "-")
  }
}
