internal import Frames

extension Size {
  /// Pixels of the largest picture that is read, whatever its shape.
  static let maxPixels = 16_384 * 16_384

  /// - Throws: `ImageFileError.unsupported` where a file states a size without a pixel, or more than `maxPixels`.
  func check(path: String) throws(ImageFileError) {
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflows, pixels <= Self.maxPixels else {
      throw .unsupported(path: path, reason: "its size is \(self), and pictures have 1 to \(Self.maxPixels) pixels")
    }
  }

  /// The size that a file states.
  /// - Throws: As `check(path:)`.
  init(stated width: Int, _ height: Int, path: String) throws(ImageFileError) {
    self.init(width: width, height: height)
    try check(path: path)
  }
}
