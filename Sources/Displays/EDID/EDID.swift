public import ColorScience

/// A display's description of itself: identity, size, colour and HDR capabilities.
///
/// Audio, and timings other than the preferred one, are not read.
///
/// Source: VESA E-EDID 1.4 (2006); CTA-861-H; VESA DisplayID 1.3 and 2.0.
public struct EDID: Sendable, Hashable, Codable {
  /// Three letters from the UEFI (formerly Microsoft) registry; `@` and `[` to `_` for codes that are not letters.
  /// Source: VESA E-EDID 1.4 (2006), 3.4.1.
  public internal(set) var manufacturer: String
  /// The manufacturer's product code. Source: VESA E-EDID 1.4 (2006), 3.4.2.
  public internal(set) var product: UInt16
  /// Serial number; nil if unset (0). Source: VESA E-EDID 1.4 (2006), 3.4.3.
  public internal(set) var serialNumber: UInt32?
  /// Product name, at most 13 characters; nil if not stated. Source: VESA E-EDID 1.4 (2006), 3.10.3.4.
  public internal(set) var name: String?
  /// Serial number as text, at most 13 characters; nil if not stated. Source: VESA E-EDID 1.4 (2006), 3.10.3.1.
  public internal(set) var serialText: String?
  /// Year of manufacture or model year, from 1990. Source: VESA E-EDID 1.4 (2006), 3.4.4.
  public internal(set) var year: Int
  /// Week of manufacture, 1...54; nil if not stated. Source: VESA E-EDID 1.4 (2006), 3.4.4.
  public internal(set) var week: Int?
  /// Whether `year` is the model year. Source: VESA E-EDID 1.4 (2006), 3.4.4.
  public internal(set) var isModelYear: Bool
  /// Version and revision of the base block, such as 1.4. Source: VESA E-EDID 1.4 (2006), 3.5.
  public internal(set) var version: Version
  /// Whether the video input is digital. Source: VESA E-EDID 1.4 (2006), 3.6.1.
  public internal(set) var isDigital: Bool
  /// Bits per colour component, 6...16; nil if undefined, analogue or before version 1.4.
  /// Source: VESA E-EDID 1.4 (2006), 3.6.1.
  public internal(set) var bitsPerColor: Int?
  /// Picture size; nil if unknown, variable as with projectors, or stated as an aspect ratio only.
  /// Source: VESA E-EDID 1.4 (2006), 3.6.2.
  public internal(set) var size: ScreenSize?
  /// Exponent of the transfer characteristic, 1...3.54; nil if the base block does not state it.
  /// Source: VESA E-EDID 1.4 (2006), 3.6.3.
  public internal(set) var gamma: Double?
  /// Whether sRGB is the default colour space; false before version 1.3, which introduced the flag.
  /// Source: VESA E-EDID 1.4 (2006), 3.6.4.
  public internal(set) var isSRGB: Bool
  /// Primaries and white in steps of 1/1024; nil if the white is outside their triangle.
  /// Source: VESA E-EDID 1.4 (2006), 3.7.
  public internal(set) var chromaticities: RGBSpace?
  /// The first detailed timing; nil if the EDID has none. Source: VESA E-EDID 1.4 (2006), 3.10.1.
  public internal(set) var preferredMode: Mode?
  /// HDR capabilities; nil if not stated. Source: CTA-861-H, 7.5.13.
  public internal(set) var hdr: HDRStaticMetadata?
  /// Colorimetry accepted in addition to the default. Source: CTA-861-H, 7.5.5.
  public internal(set) var colorimetry: Colorimetry = []
  /// Whether the display accepts HDR10+. Source: CTA-861-H, 7.5.7, with the OUI 90-84-8B of HDR10+ Technologies.
  public internal(set) var supportsHDR10Plus = false
  /// Whether the display accepts Dolby Vision. Source: CTA-861-H, 7.5.7, with the OUI 00-D0-46 of Dolby.
  public internal(set) var supportsDolbyVision = false
  /// The content of DisplayID sections; nil if there are none. Source: VESA DisplayID 1.3 and 2.0.
  public internal(set) var displayID: DisplayID?
  /// Faults of the extension blocks, in byte order.
  public internal(set) var problems: [Problem] = []

  /// Length of a block in bytes. Source: VESA E-EDID 1.4 (2006), 2.2.
  public static let blockLength = 128

  /// Reads an EDID with its extension blocks.
  /// - Parameter bytes: The base block and all extension blocks.
  /// - Throws: `EDIDError` if the base block is invalid; later faults become `problems`.
  public init(_ bytes: Span<UInt8>) throws(EDIDError) {
    try self.init(baseBlock: bytes)
    readExtensions(of: bytes)
  }

  /// Reads an EDID with its extension blocks.
  /// - Parameter bytes: The base block and all extension blocks.
  /// - Throws: `EDIDError` if the base block is invalid; later faults become `problems`.
  public init(_ bytes: [UInt8]) throws(EDIDError) {
    try self.init(bytes.span)
  }

  /// The size of a screen.
  public struct ScreenSize: Sendable, Hashable, Codable {
    /// Width in cm.
    public let width: Double
    /// Height in cm.
    public let height: Double

    /// Creates a size from width and height in cm.
    public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
  }

  /// The version and revision of a structure.
  public struct Version: Sendable, Hashable, Codable, Comparable {
    /// The version, 1 for E-EDID.
    public let major: Int
    /// The revision, 0 and up.
    public let minor: Int

    /// Creates a version such as 1.4.
    public init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }

    public static func < (left: Version, right: Version) -> Bool {
      (left.major, left.minor) < (right.major, right.minor)
    }
  }

  /// A video mode.
  public struct Mode: Sendable, Hashable, Codable {
    /// Pixels per line.
    public let width: Int
    /// Lines per frame; both fields if interlaced.
    public let height: Int
    /// Vertical frequency in Hz: frames per second, or fields per second if interlaced.
    public let refreshRate: Double
    /// Whether a frame consists of two fields.
    public let isInterlaced: Bool
  }

  /// The best available primaries and white: the panel's native ones, otherwise those of the base block.
  public var primaries: RGBSpace? { displayID?.primaries ?? chromaticities }

  /// The available gamma: of the base block, otherwise of DisplayID.
  public var bestGamma: Double? { gamma ?? displayID?.gamma }

  /// The best available peak luminance in cd/m²: of a tenth of the panel, of the full panel, otherwise the desired peak
  /// of HDR content.
  public var peakLuminance: Double? {
    displayID?.maxLuminance ?? displayID?.maxFullScreenLuminance ?? hdr?.maxLuminance
  }

  /// The lower minimum luminance in cd/m²: of the panel or of the desired HDR content.
  ///
  /// Some OLED panels state 2 cd/m² in DisplayID and 0.01 in the HDR metadata.
  public var minLuminance: Double? {
    [displayID?.minLuminance, hdr?.minLuminance].compactMap(\.self).min()
  }
}

extension EDID.Mode {
  /// Length of a detailed timing in bytes.
  static let descriptorLength = 18

  /// Reads a descriptor whose pixel clock is not 0; nil if the timing has no active picture.
  ///
  /// Blanking here includes borders, as in EDID 1.3 and nearly all displays: version 1.4 excludes them, but displays
  /// that state both do not comply.
  ///
  /// Source: VESA E-EDID 1.4 (2006), 3.10.2.
  init?(descriptor: Span<UInt8>) {
    let clock = 10_000 * descriptor.integer16(at: 0)
    let width = descriptor[at: 2] | (descriptor[at: 4] & 0xF0) << 4
    let horizontalBlanking = descriptor[at: 3] | (descriptor[at: 4] & 0x0F) << 8
    let lines = descriptor[at: 5] | (descriptor[at: 7] & 0xF0) << 4
    let verticalBlanking = descriptor[at: 6] | (descriptor[at: 7] & 0x0F) << 8
    let isInterlaced = descriptor[at: 17] & 0x80 != 0
    guard width > 0, lines > 0 else { return nil }
    // Two fields share an odd line.
    let total = Double(lines + verticalBlanking) + (isInterlaced ? 0.5 : 0)
    self.init(
      width: width, height: isInterlaced ? 2 * lines : lines,
      refreshRate: Double(clock) / (Double(width + horizontalBlanking) * total), isInterlaced: isInterlaced)
  }
}

/// A fault that makes an EDID unusable.
public enum EDIDError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// Fewer than the 128 bytes of the base block.
  case tooShort(count: Int)
  /// The bytes do not start with 00 FF FF FF FF FF FF 00.
  case noHeader
  /// The 128 bytes of the base block do not sum to 0 modulo 256: their sum.
  case wrongChecksum(sum: UInt8)
  /// A structure version other than 1.
  case unsupportedVersion(major: Int, minor: Int)

  public var description: String {
    switch self {
    case .tooShort(let count): "an EDID has at least 128 bytes, not \(count)"
    case .noHeader: "the header of an EDID is missing"
    case .wrongChecksum(let sum): "the base block must sum to 0 modulo 256, not to \(sum)"
    case .unsupportedVersion(let major, let minor): "EDID version \(major).\(minor) is not supported"
    }
  }
}
