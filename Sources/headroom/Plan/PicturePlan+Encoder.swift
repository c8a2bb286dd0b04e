internal import Frames
internal import ImageFiles

extension PicturePlan {
  /// The encoder of pictures.
  /// - Parameter sampleAspectRatio: Shape of a sample, width to height, where it is stated.
  func encoder(sampleAspectRatio: Rational?) -> any ImageEncoder {
    format.encoder(
      compression: request.compression ?? .zip, isLossless: request.isLossless, sampleAspectRatio: sampleAspectRatio)
  }
}

extension ImageFormat {
  /// - Parameters:
  ///   - compression: Of OpenEXR.
  ///   - isLossless: AVIF and JPEG XL keep every bit of the samples that they code.
  ///   - sampleAspectRatio: Shape of a sample, width to height, where it is stated.
  ///   - pointScale: Pixels in a point of 1/72 inch, which PNG, TIFF, OpenEXR and JPEG XL can say; nil says nothing.
  func encoder(
    compression: EXRCompression = .zip, isLossless: Bool = false, sampleAspectRatio: Rational? = nil,
    pointScale: Int? = nil
  ) -> any ImageEncoder {
    switch self {
    case .exr:
      EXREncoder(
        compression: compression, pixelAspectRatio: sampleAspectRatio?.value ?? 1, pointScale: pointScale)
    case .png: PNGEncoder(pointScale: pointScale)
    case .tiff: TIFFEncoder(pointScale: pointScale)
    case .y4m: Y4MEncoder()
    case .rgba16Float: RawEncoder(format: .rgba16Float)
    case .bgr10a2: RawEncoder(format: .bgr10a2)
    case .avif: AVIFEncoder(isLossless: isLossless)
    case .jxl: JXLEncoder(distance: isLossless ? 0 : JXLEncoder.usualDistance, pointScale: pointScale)
    }
  }
}
