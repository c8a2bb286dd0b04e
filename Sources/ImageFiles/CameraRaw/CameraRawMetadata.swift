internal import Frames

/// Metadata in the directories of a camera raw file with a TIFF structure.
struct CameraRawMetadata {
  let exif: PictureExif?
  /// In the unit of the white level.
  let noise: NoiseModel?
  /// Whether samples are floating-point, which LibRaw may take for integers.
  let isFloatingPoint: Bool

  init(_ file: ArraySlice<UInt8>, _ signature: CameraRawSignature) {
    guard signature.isTIFF, let directory = TIFFDirectory(file) else {
      (exif, noise, isFloatingPoint) = (nil, nil, false)
      return
    }
    exif = PictureExif(tiff: file)
    // SubIFDs hold the raw picture where the first directory holds a thumbnail.
    let directories = [directory] + directory.directories(0x014A, limit: 10)
    noise = directories.lazy.compactMap { Self.noise($0) }.first
    isFloatingPoint = directories.contains { Self.isRaw($0) && $0.numbers(0x0153)?.first == 3 }
  }

  /// Colour filters, or their samples interpolated. Source: DNG 1.6 (2021), "PhotometricInterpretation".
  private static func isRaw(_ directory: TIFFDirectory) -> Bool {
    [32_803, 34_892].contains(directory.numbers(0x0106)?.first)
  }

  /// Scale and offset of the variance, for all planes or for each of three.
  ///
  /// Source: DNG 1.6 (2021), "NoiseProfile": the signal's range from black to white is 0...1.
  private static func noise(_ directory: TIFFDirectory) -> NoiseModel? {
    guard let values = directory.numbers(0xC761, limit: 6), values.count == 2 || values.count == 6,
      values.allSatisfy({ 0...1 ~= $0 })
    else { return nil }
    let plane = values.count == 2 ? [0, 0, 0] : [0, 2, 4]
    return NoiseModel(
      shot: SIMD3(values[plane[0]], values[plane[1]], values[plane[2]]),
      read: SIMD3(values[plane[0] + 1], values[plane[1] + 1], values[plane[2] + 1]))
  }
}
