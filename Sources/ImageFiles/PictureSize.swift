internal import Frames

extension Size {
  /// Maximum number of pixels of a picture, regardless of its shape.
  static let maxPixels = 16_384 * 16_384

  /// Maximum side length: rows are padded to 64 bytes, so that a column would take many times its pixels.
  static let maxSide = 65_535

  /// - Throws: `ImageFileError.unsupported` if a file states an empty size, a side above `maxSide`, or more pixels than
  ///   `maxPixels`.
  func check(path: String) throws(ImageFileError) {
    guard 1...Self.maxSide ~= width, 1...Self.maxSide ~= height, width * height <= Self.maxPixels else {
      throw .unsupported(
        path: path,
        reason:
          "its size is \(self), but pictures can have 1 to \(Self.maxPixels) pixels, at most \(Self.maxSide) per side")
    }
  }

  /// Maximum number of pixels that a picture may have beyond the stored ones, such as a window around them or repeated
  /// tiles: 4096 x 2304.
  static let maxEmptyPixels = 4096 * 2304

  /// - Parameter held: Number of pixels stored in the file.
  /// - Throws: `ImageFileError.unsupported` if the picture is almost entirely synthetic, so that a tiny file would take
  ///   much memory.
  func check(held: Int, path: String) throws(ImageFileError) {
    guard width * height - held <= Self.maxEmptyPixels else {
      throw .unsupported(
        path: path,
        reason: "it is \(self) but holds only \(held) pixels: more than \(Self.maxEmptyPixels) would be empty")
    }
  }

  /// The size that a file states.
  init(stated width: Int, _ height: Int, path: String) throws(ImageFileError) {
    self.init(width: width, height: height)
    try check(path: path)
  }
}
