internal import Glibc
public import Frames

/// Confidence of each pixel of a constant-colour picture, from 0 (none) to 1 (full).
public struct ConfidenceMap: Sendable {
  /// Columns and rows, the same as the picture's.
  public let size: Size
  /// The values, row by row.
  public let values: [Float]

  /// Creates a map from its values, row by row.
  public init(size: Size, values: [Float]) {
    precondition(values.count == size.width * size.height)
    self.size = size
    self.values = values
  }

  /// The confidence of the pixel at column `x` of row `y`.
  public subscript(x: Int, y: Int) -> Float { values[y * size.width + x] }

  /// Standard deviation of the weights of `centerWeightedMean`, in halves of the picture's width and height.
  static let centerWeightDeviation = 0.6

  /// The mean confidence with Gaussian weights around the centre.
  public var centerWeightedMean: Double {
    func weights(_ count: Int) -> [Double] {
      (0..<count).map { index in
        let distance = (2 * Double(index) + 1) / Double(count) - 1
        return exp(-distance * distance / (2 * Self.centerWeightDeviation * Self.centerWeightDeviation))
      }
    }
    let (columns, rows) = (weights(size.width), weights(size.height))
    var sum = 0.0
    for y in 0..<size.height {
      var row = 0.0
      for x in 0..<size.width { row += columns[x] * Double(values[y * size.width + x]) }
      sum += rows[y] * row
    }
    // Rounding must not push it above 1.
    return min(sum / (columns.reduce(0, +) * rows.reduce(0, +)), 1)
  }

  /// Returns the mean confidence of an area of the picture.
  public func mean(of area: PictureArea) -> Double {
    var sum = 0.0
    for y in area.y..<area.maxY { for x in area.x..<area.maxX { sum += Double(self[x, y]) } }
    return sum / Double(area.width * area.height)
  }

  /// Returns the share of pixels with at least this confidence.
  public func share(atLeast confidence: Float) -> Double {
    Double(values.lazy.filter { $0 >= confidence }.count) / Double(values.count)
  }
}
