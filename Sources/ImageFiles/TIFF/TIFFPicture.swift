internal import CTIFF
internal import Frames

/// The sample layout of a file, from its tags. Source: TIFF 6.0 (1992), sections 3 to 8; Adobe Photoshop TIFF Technical
/// Notes 3 (2005) for 16-bit floats.
struct TIFFPicture {
  enum Samples {
    case integer8, integer16, half, float

    var byteCount: Int {
      switch self {
      case .integer8: 1
      case .integer16, .half: 2
      case .float: 4
      }
    }
  }

  let size: Size
  let samples: Samples
  let samplesPerPixel: Int
  /// Whether one component represents all three.
  let isGrey: Bool
  /// Whether 0 is white.
  let isInverted: Bool
  /// Whether components are stored in separate blocks.
  let isPlanar: Bool
  /// Size of a strip or tile in pixels.
  let block: Size
  /// Uncompressed bytes of a block.
  let blockByteCount: Int

  init(_ file: TIFFFile) throws(ImageFileError) {
    let path = file.path
    func unsupported(_ reason: String) -> ImageFileError { .unsupported(path: path, reason: reason) }
    size = try Size(
      stated: file.longNumber(TIFFTAG_IMAGEWIDTH) ?? 0, file.longNumber(TIFFTAG_IMAGELENGTH) ?? 0, path: path)
    let compression = file.number(TIFFTAG_COMPRESSION) ?? Int(COMPRESSION_NONE)
    guard file.decodes(compression) else { throw unsupported("there is no decoder for its compression \(compression)") }
    let photometric = file.number(TIFFTAG_PHOTOMETRIC) ?? Int(PHOTOMETRIC_RGB)
    let isJPEG = compression == Int(COMPRESSION_JPEG) && photometric == Int(PHOTOMETRIC_YCBCR)
    if isJPEG { file.decodeJPEGAsRGB() }
    samplesPerPixel = file.number(TIFFTAG_SAMPLESPERPIXEL) ?? 1
    isGrey = [PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE].map { Int($0) }.contains(photometric)
    isInverted = photometric == Int(PHOTOMETRIC_MINISWHITE)
    guard isGrey || isJPEG || photometric == Int(PHOTOMETRIC_RGB)
    else { throw unsupported("its samples are neither RGB nor grey (photometric interpretation \(photometric))") }
    guard (isGrey ? 1 : 3)...16 ~= samplesPerPixel
    else { throw unsupported("it has \(samplesPerPixel) samples per pixel") }
    isPlanar = file.number(TIFFTAG_PLANARCONFIG) == Int(PLANARCONFIG_SEPARATE)
    let format = file.number(TIFFTAG_SAMPLEFORMAT) ?? Int(SAMPLEFORMAT_UINT)
    let bits = file.number(TIFFTAG_BITSPERSAMPLE) ?? 1
    switch (Int32(format), bits) {
    case (SAMPLEFORMAT_UINT, 8), (SAMPLEFORMAT_VOID, 8): samples = .integer8
    case (SAMPLEFORMAT_UINT, 16), (SAMPLEFORMAT_VOID, 16): samples = .integer16
    case (SAMPLEFORMAT_IEEEFP, 16): samples = .half
    case (SAMPLEFORMAT_IEEEFP, 32): samples = .float
    default: throw unsupported("its samples have \(bits) bits in format \(format), not 8, 16 or float 16, 32")
    }
    block = try Self.block(of: file, size)
    blockByteCount = file.blockByteCount
    let needed = block.width * block.height * (isPlanar ? 1 : samplesPerPixel) * samples.byteCount
    guard needed == blockByteCount else { throw .unreadable(path: path, reason: "its blocks have an impossible size") }
    let maximumBytes = max(Self.smallBlock, Self.maxRatio * file.byteCount)
    guard blockByteCount <= Self.maxBlock, blockByteCount <= maximumBytes else {
      throw unsupported(
        "its strips or tiles of \(blockByteCount) bytes are larger than 1 GiB, or than a file of \(file.byteCount) can hold"
      )
    }
    // Many strips may point to the same bytes.
    let byteCount = size.width * size.height * samplesPerPixel * samples.byteCount
    guard byteCount <= maximumBytes
    else { throw unsupported("its pixels take \(byteCount) bytes, more than a file of \(file.byteCount) can hold") }
  }

  /// Maximum bytes of a block, and a size that is harmless in any file.
  private static let maxBlock = 1 << 30
  private static let smallBlock = 1 << 26
  /// Maximum compression ratio: 1032 for Deflate (RFC 1951), and nearly 1400 for LZW (TIFF 6.0, section 13), whose 3838
  /// codes of up to 12 bits represent one byte more each.
  private static let maxRatio = 1400

  /// Tiles may extend beyond a small picture, but only so far.
  private static let maxTilePixels = 1 << 24

  private static func block(of file: TIFFFile, _ size: Size) throws(ImageFileError) -> Size {
    guard file.isTiled else {
      let rows = file.longNumber(TIFFTAG_ROWSPERSTRIP) ?? size.height
      return Size(width: size.width, height: min(max(rows, 1), size.height))
    }
    let (width, height) = (file.longNumber(TIFFTAG_TILEWIDTH) ?? 0, file.longNumber(TIFFTAG_TILELENGTH) ?? 0)
    let tile = try Size(stated: width, height, path: file.path)
    guard tile.width * tile.height <= max(maxTilePixels, 2 * size.width * size.height)
    else { throw .unsupported(path: file.path, reason: "its tiles of \(tile) are far larger than the picture") }
    return tile
  }

  /// Number of colour samples of a pixel, which come first.
  var colorCount: Int { isGrey ? 1 : 3 }

  /// The layout of frames with these samples.
  var layout: PixelLayout {
    switch samples {
    case .integer8: PixelLayout(.rgb, bitDepth: 8)
    case .integer16: PixelLayout(.rgb, bitDepth: 16)
    case .half, .float: .linearRGB
    }
  }
}

/// The `ImageDescription` of files written by Headroom: the colour space and, for linear light, its unit.
///
/// "Color space: extendedLinearITUR_2020; 1.0 is 203.0 cd/m2"
enum TIFFDescription {
  private static let start = "Color space: "
  private static let unit = "; 1.0 is "
  private static let end = " cd/m2"

  /// - Returns: nil for an unnamed space.
  static func text(of color: ColorDescription, linearUnit: Double?) -> String? {
    let space = ImageSpace.all.first { $0.primaries == color.primaries && $0.transfer == color.transfer }
    guard let space else { return nil }
    guard space.isLinear, let linearUnit else { return start + space.name }
    return start + space.name + unit + "\(linearUnit)" + end
  }

  /// - Returns: nil for other texts.
  static func parse(_ text: String) -> (space: ImageSpace, linearUnit: Double?)? {
    guard text.hasPrefix(start) else { return nil }
    let rest = text.dropFirst(start.count)
    let name = rest.prefix { $0 != ";" }
    guard let space = ImageSpace.named(String(name)) else { return nil }
    let tail = rest.dropFirst(name.count)
    guard space.isLinear, tail.hasPrefix(unit), tail.hasSuffix(end),
      let value = Double(tail.dropFirst(unit.count).dropLast(end.count)), value.isFinite, value > 0
    else { return (space, nil) }
    return (space, value)
  }
}
