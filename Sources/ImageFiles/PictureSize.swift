internal import Frames

extension Size {
  /// Pixels of the largest picture that is read, whatever its shape.
  static let maxPixels = 16_384 * 16_384

  /// The size that a file states.
  /// - Throws: `ImageFileError.unsupported` where there is no pixel, or more of them than `maxPixels`.
  init(stated width: Int, _ height: Int, path: String) throws(ImageFileError) {
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflows, pixels <= Self.maxPixels else {
      throw .unsupported(
        path: path, reason: "its size is \(width)x\(height), and pictures have 1 to \(Self.maxPixels) pixels")
    }
    self.init(width: width, height: height)
  }
}
