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

/// A grid whose blocks are divided into classes of similar colour.
///
/// Luma classes are quantiles, so that near-black steps are distinguished as well as bright ones.
struct ClassedGrid: Sendable {
  let grid: SignalGrid
  /// Class of each block, 0..<`classCount`.
  let classes: [Int32]
  let classCount: Int

  private static let lumaClasses = 48
  private static let chromaClasses = 17
  private static let levels = 4096

  init(_ grid: SignalGrid) {
    self.grid = grid
    // Luma -0.25...1.25 by rank.
    let levels = Self.levels
    func level(_ luma: Float) -> Int {
      let value = (luma + 0.25) / 1.5 * Float(levels)
      return value > 0 ? Int(min(value, Float(levels - 1))) : 0
    }
    var counts = [Int](repeating: 0, count: levels)
    for value in grid.values { counts[level(value.x)] += 1 }
    var rank = [Int](repeating: 0, count: levels)
    var below = 0
    for index in 0..<levels {
      rank[index] = min(below * Self.lumaClasses / max(grid.values.count, 1), Self.lumaClasses - 1)
      below += counts[index]
    }
    func chroma(_ value: Float) -> Int {
      let half = Float(Self.chromaClasses / 2)
      return Int(min(max((value * 2 * half).rounded(), -half), half) + half)
    }
    var dense = [Int32](repeating: -1, count: Self.lumaClasses * Self.chromaClasses * Self.chromaClasses)
    var next: Int32 = 0
    classes = grid.values.map { value in
      let key = (rank[level(value.x)] * Self.chromaClasses + chroma(value.y)) * Self.chromaClasses + chroma(value.z)
      if dense[key] < 0 {
        dense[key] = next
        next += 1
      }
      return dense[key]
    }
    classCount = Int(next)
  }

  /// A grid and its successively halved versions, largest first.
  static func pyramid(of grid: SignalGrid, shortest: Int = 24) -> [ClassedGrid] {
    var levels = [ClassedGrid(grid)]
    while let last = levels.last?.grid, min(last.width, last.height) >= 2 * shortest {
      levels.append(ClassedGrid(last.halved()))
    }
    return levels
  }
}
