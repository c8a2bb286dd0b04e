internal import Frames

/// A picture in the format of terminals: interleaved R', G', B', 8 bits each.
struct RGBPicture {
  private(set) var size = Size(width: 0, height: 0)
  /// Rows without padding.
  private(set) var bytes: [UInt8] = []

  /// Copies the pixels of a frame.
  /// - Parameters:
  ///   - frame: Planar 8-bit R'G'B'.
  ///   - most: The maximum size; a larger frame is cropped to its upper left.
  /// - Throws: `TerminalError.wrongLayout`.
  mutating func take(_ frame: CodedFrame, most: Size) throws(TerminalError) {
    guard frame.layout == PixelLayout(.rgb, bitDepth: 8) else { throw .wrongLayout }
    size = Size(width: min(frame.size.width, most.width), height: min(frame.size.height, most.height))
    let count = 3 * size.width * size.height
    if bytes.count != count { bytes = Array(repeating: 0, count: count) }
    // The plane order is G', B', R'.
    for (plane, component) in [1, 2, 0].enumerated() {
      unsafe frame.withPlane(plane) { plane in
        unsafe bytes.withUnsafeMutableBufferPointer { target in
          for y in 0..<size.height {
            let row = unsafe plane.row(y).assumingMemoryBound(to: UInt8.self)
            var index = 3 * y * size.width + component
            for x in 0..<size.width {
              unsafe target[index] = row[x]
              index += 3
            }
          }
        }
      }
    }
  }

  /// Returns a pixel as 0xRRGGBB.
  /// - Parameters:
  ///   - x: Column in the picture.
  ///   - y: Row in the picture.
  func pixel(x: Int, y: Int) -> UInt32 {
    let index = 3 * (y * size.width + x)
    return UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
  }
}
