internal import CTIFF
internal import ColorScience
public import Frames

/// Encodes R'G'B' of 8 or 16 bits, or linear light as 32-bit floats, as TIFF: Deflate with the predictor of the type.
///
/// `WhitePoint` and `PrimaryChromaticities` state the primaries; `ImageDescription` the colour space and the luminance
/// of 1.0.
/// Source: TIFF 6.0 (1992), sections 14 and 20; Adobe Photoshop TIFF Technical Notes 3 (2005) for the predictor of
/// floats.
public struct TIFFEncoder: ImageEncoder {
  /// Uncompressed bytes of a strip: enough for Deflate, and small relative to the cache.
  private static let stripByteCount = 1 << 18

  private let pointScale: Int?

  /// An encoder with a pixel density.
  /// - Parameter pointScale: Pixels per point of 1/72 inch, written as `XResolution`; nil: unknown.
  public init(pointScale: Int? = nil) { self.pointScale = pointScale }

  /// The bytes of a TIFF file.
  /// - Parameter frame: A frame in `PixelLayout.linearRGB`, or planar R'G'B' of 8 or 16 bits.
  /// - Throws: `ImageFileError.notEncoded` if the library fails, `.outOfMemory`.
  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    let layout = frame.layout
    precondition(layout.components == .rgb && [8, 16].contains(layout.bitDepth))
    let isLinear = layout.samples == .half
    let rowByteCount = 3 * frame.size.width * (isLinear ? 4 : layout.bytesPerSample)
    let rowsPerStrip = min(max(1, Self.stripByteCount / rowByteCount), frame.size.height)
    let file = try TIFFMemoryFile(expectedByteCount: rowByteCount * frame.size.height)
    try file.set(TIFFTAG_IMAGEWIDTH, frame.size.width)
    try file.set(TIFFTAG_IMAGELENGTH, frame.size.height)
    try file.set(TIFFTAG_SAMPLESPERPIXEL, 3)
    try file.set(TIFFTAG_BITSPERSAMPLE, isLinear ? 32 : layout.bitDepth)
    try file.set(TIFFTAG_SAMPLEFORMAT, Int(isLinear ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT))
    try file.set(TIFFTAG_PHOTOMETRIC, Int(PHOTOMETRIC_RGB))
    try file.set(TIFFTAG_PLANARCONFIG, Int(PLANARCONFIG_CONTIG))
    try file.set(TIFFTAG_ORIENTATION, Int(ORIENTATION_TOPLEFT))
    try file.set(TIFFTAG_COMPRESSION, Int(COMPRESSION_ADOBE_DEFLATE))
    try file.set(TIFFTAG_PREDICTOR, Int(isLinear ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL))
    try file.set(TIFFTAG_ROWSPERSTRIP, rowsPerStrip)
    if let pointScale {
      for tag in [TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION] { try file.set(tag, ratio: Double(72 * pointScale)) }
      try file.set(TIFFTAG_RESOLUTIONUNIT, Int(RESUNIT_INCH))
    }
    try file.describe(frame.color, linearUnit: frame.metadata.linearUnit)
    if isLinear {
      try file.writeRows(of: frame, rowsPerStrip, as: Float.self) { Float(Float16(bitPattern: $0)) }
    } else if layout.bitDepth == 16 {
      try file.writeRows(of: frame, rowsPerStrip, as: UInt16.self) { (word: UInt16) in word }
    } else {
      try file.writeRows(of: frame, rowsPerStrip, as: UInt8.self) { (byte: UInt8) in byte }
    }
    return try file.finish()
  }
}

extension TIFFMemoryFile {
  fileprivate func describe(_ color: ColorDescription, linearUnit: Double?) throws(ImageFileError) {
    if let text = TIFFDescription.text(of: color, linearUnit: linearUnit) {
      try set(TIFFTAG_IMAGEDESCRIPTION, text)
    }
    guard let space = color.primaries.space else { return }
    try set(TIFFTAG_WHITEPOINT, [Float(space.white.x), Float(space.white.y)])
    try set(
      TIFFTAG_PRIMARYCHROMATICITIES,
      [space.red, space.green, space.blue].flatMap { [Float($0.x), Float($0.y)] })
  }

  /// Interleaves the planes strip by strip.
  /// - Parameter convert: Converts a stored sample to one of the file.
  fileprivate func writeRows<Stored, Written: ExpressibleByIntegerLiteral>(
    of frame: CodedFrame, _ rowsPerStrip: Int, as type: Written.Type, _ convert: (Stored) -> Written
  ) throws(ImageFileError) {
    let width = frame.size.width
    var strip = [Written](repeating: 0, count: 3 * width * rowsPerStrip)
    for (index, first) in stride(from: 0, to: frame.size.height, by: rowsPerStrip).enumerated() {
      let rows = min(rowsPerStrip, frame.size.height - first)
      try unsafe strip.withUnsafeMutableBufferPointer { strip throws(ImageFileError) in
        for row in 0..<rows {
          // Planes are G, B, R.
          for (component, plane) in [2, 0, 1].enumerated() {
            unsafe frame.withPlane(plane) { plane in
              let source = unsafe plane.row(first + row).assumingMemoryBound(to: Stored.self)
              for x in 0..<width { unsafe strip[3 * (row * width + x) + component] = convert(source[x]) }
            }
          }
        }
        let written = unsafe UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: strip[..<(3 * width * rows)]))
        try unsafe writeStrip(index, written)
      }
    }
  }
}
