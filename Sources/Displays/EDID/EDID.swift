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
}
