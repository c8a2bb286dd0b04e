public import ColorScience
internal import Files
internal import Foundation

/// A correction of a display's white point: a measured white and a target white.
///
/// Lowers the drive of up to two primaries until R = G = B has the target's chromaticity. It is the last step of
/// rendering, in the display's own primaries. The primaries are not measured: this is a single point, not a profile.
public struct WhitePointAdaptation: Sendable, Hashable, Codable {
  /// A white as measured by a meter.
  public struct White: Sendable, Hashable, Codable {
    /// CIE 1931 x, y.
    public var chromaticity: Chromaticity
    /// In cd/m²; nil: not stated.
    public var luminance: Double?

    /// A chromaticity, and optionally a luminance in cd/m².
    public init(_ chromaticity: Chromaticity, luminance: Double? = nil) {
      (self.chromaticity, self.luminance) = (chromaticity, luminance)
    }
  }

  /// The measured white of the display.
  public var measured: White
  /// The target white.
  public var target: White

  /// Creates an adaptation.
  public init(measured: White, target: White) { (self.measured, self.target) = (measured, target) }

  /// Returns the gains of R, G and B in linear light, at most 1: no primary is driven beyond its range.
  /// - Parameter primaries: The display's primaries.
  /// - Returns: nil if the target is outside the display's gamut, or brighter than the display can show, which is only
  ///   known with a measured luminance.
  public func gains(_ primaries: RGBSpace) -> SIMD3<Double>? {
    let actual = RGBSpace(
      red: primaries.red, green: primaries.green, blue: primaries.blue, white: measured.chromaticity)
    let white = target.chromaticity
    let xyz = SIMD3(white.x, white.y, 1 - white.x - white.y) / white.y
    let drive = actual.rgbToXYZ.inverse * xyz
    guard drive.min() > 0, drive.max().isFinite else { return nil }
    let gains = drive / drive.max()
    guard measured.luminance ?? 1 > 0 else { return nil }
    guard let wanted = target.luminance else { return gains }
    // Without a measured luminance the maximum is unknown.
    guard let maximum = measured.luminance.map({ $0 * (actual.luminance * gains).sum() }) else { return nil }
    guard wanted <= maximum * Self.tolerance, wanted > 0 else { return nil }
    return gains * min(wanted / maximum, 1)
  }

  /// A description of the valid range.
  static let allowed =
    "a target within the display's gamut; a luminance of the target needs a measured one, and is at most what the display has there"

  /// Meters are accurate to about a percent.
  private static let tolerance = 1.01

  /// A failure to parse an adaptation.
  public struct ParsingFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error as a sentence.
    public let description: String

    fileprivate init(_ description: String) { self.description = description }
  }

  /// Parses "measured=0.305,0.32,110:target=0.3127,0.329,100": CIE 1931 x and y, and optionally cd/m². The default
  /// target is D65.
  /// - Throws: If the text is malformed.
  public init(parsing text: String) throws(ParsingFailure) {
    var whites: [String: White] = [:]
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, ["measured", "target"].contains(pair[0]) else {
        throw ParsingFailure("'\(part)' is neither measured=x,y nor target=x,y.")
      }
      guard whites.updateValue(try White(parsing: pair[1]), forKey: pair[0]) == nil else {
        throw ParsingFailure("\(pair[0]) is given twice.")
      }
    }
    guard let measured = whites["measured"] else {
      throw ParsingFailure("what a meter shows is missing: measured=x,y.")
    }
    self.init(measured: measured, target: whites["target"] ?? White(.d65))
  }
}

extension WhitePointAdaptation.White {
  fileprivate init(parsing text: String) throws(WhitePointAdaptation.ParsingFailure) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard (2...3).contains(numbers.count), numbers.allSatisfy({ $0.isFinite && $0 > 0 }), numbers[0] + numbers[1] <= 1
    else {
      throw .init(
        "'\(text)' is no white: give CIE 1931 x and y, and cd/m² if they are known, such as 0.3127,0.329,100.")
    }
    self.init(Chromaticity(x: numbers[0], y: numbers[1]), luminance: numbers.count == 3 ? numbers[2] : nil)
  }
}

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
