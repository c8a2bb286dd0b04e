internal import Frames

/// A downscaled picture or pattern: means of luma and chroma over square blocks of pixels.
struct SignalGrid: Sendable {
  /// Original size in pixels.
  let size: Size
  /// Block size in pixels; the last block of a row or column may extend beyond the picture.
  let block: Int
  /// Blocks across and down.
  let width: Int
  let height: Int
  /// Y', Cb and Cr in row-major order, and a weight, 0 for excluded blocks.
  var values: [SIMD4<Float>]

  init(size: Size, block: Int) {
    self.size = size
    self.block = block
    width = (size.width + block - 1) / block
    height = (size.height + block - 1) / block
    values = [SIMD4<Float>](repeating: .zero, count: width * height)
  }

  /// Blocks along the longer side, at most.
  static let longestSide = 480

  /// Block size that makes a picture no larger than `longestSide`.
  static func block(of size: Size) -> Int {
    max((max(size.width, size.height) + longestSide - 1) / longestSide, 1)
  }

  /// Blocks of twice the size.
  func halved() -> SignalGrid {
    var result = SignalGrid(size: size, block: 2 * block)
    for y in 0..<result.height {
      for x in 0..<result.width {
        let (x0, y0) = (2 * x, 2 * y)
        let (x1, y1) = (min(x0 + 1, width - 1), min(y0 + 1, height - 1))
        let a = values[y0 * width + x0], b = values[y0 * width + x1]
        let c = values[y1 * width + x0], d = values[y1 * width + x1]
        var mean = (a + b + c + d) * 0.25
        mean.w = min(min(a.w, b.w), min(c.w, d.w))
        result.values[y * result.width + x] = mean
      }
    }
    return result
  }
}
