internal import Frames

extension Size {
  /// Pixels of the largest picture that is read, whatever its shape.
  static let maxPixels = 16_384 * 16_384

  /// Samples of the longest side: frames pad each row to 64 bytes, so that a column would take many times its pixels.
  static let maxSide = 65_535

  /// - Throws: `ImageFileError.unsupported` where a file states a size without a pixel, a side above `maxSide`, or more
  ///   pixels than `maxPixels`.
  func check(path: String) throws(ImageFileError) {
    guard 1...Self.maxSide ~= width, 1...Self.maxSide ~= height, width * height <= Self.maxPixels else {
      throw .unsupported(
        path: path,
        reason:
          "its size is \(self), and pictures have 1 to \(Self.maxPixels) pixels, at most \(Self.maxSide) on a side")
    }
  }

  /// Pixels that a picture may have beyond those that its file holds, as a window around them or as copies of a tile:
  /// those of a picture of 4096 x 2304.
  static let maxEmptyPixels = 4096 * 2304

  /// - Parameter held: Pixels that the file holds samples of.
  /// - Throws: `ImageFileError.unsupported` where nearly all of the picture is made up, which takes memory and no file.
  func check(held: Int, path: String) throws(ImageFileError) {
    guard width * height - held <= Self.maxEmptyPixels else {
      throw .unsupported(
        path: path,
        reason: "it is \(self) and holds \(held) pixels of it: more than \(Self.maxEmptyPixels) would be empty")
    }
  }

  /// The size that a file states.
  /// - Throws: As `check(path:)`.
  init(stated width: Int, _ height: Int, path: String) throws(ImageFileError) {
    self.init(width: width, height: height)
    try check(path: path)
  }
}
