internal import Frames
internal import ImageFiles

extension PicturePlan {
  /// The encoder of pictures.
  /// - Parameter sampleAspectRatio: Shape of a sample, width to height, where it is stated.
  /// - Throws: `ImageFileError.missingLibrary` where this build has none.
  func encoder(sampleAspectRatio: Rational?) throws -> any ImageEncoder {
    try format.encoder(
      compression: request.compression ?? .zip, isLossless: request.isLossless, sampleAspectRatio: sampleAspectRatio)
  }
}

extension ImageFormat {
  /// - Parameters:
  ///   - compression: Of OpenEXR.
  ///   - isLossless: AVIF and JPEG XL keep every bit of the samples that they code.
  ///   - sampleAspectRatio: Shape of a sample, width to height, where it is stated.
  /// - Throws: `ImageFileError.missingLibrary` where this build has none.
  func encoder(
    compression: EXRCompression = .zip, isLossless: Bool = false, sampleAspectRatio: Rational? = nil
  ) throws -> any ImageEncoder {
    switch self {
    case .exr: EXREncoder(compression: compression, pixelAspectRatio: sampleAspectRatio?.value ?? 1)
    case .png: PNGEncoder()
    case .tiff: TIFFEncoder()
    case .y4m: Y4MEncoder()
    case .rgba16Float: RawEncoder(format: .rgba16Float)
    case .bgr10a2: RawEncoder(format: .bgr10a2)
    case .avif: AVIFEncoder(isLossless: isLossless)
    case .jxl:
      if JXLEncoder.isAvailable {
        isLossless ? JXLEncoder(distance: 0) : JXLEncoder()
      } else {
        throw ImageFileError.missingLibrary(format: "JPEG XL", package: "libjxl-dev")
      }
    }
  }
}
