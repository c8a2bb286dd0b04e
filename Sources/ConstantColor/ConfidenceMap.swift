internal import ColorScience
public import Frames
internal import Glibc
public import Rendering

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

  /// Largest code of 16-bit samples.
  private static let maximumCode: Float = 65_535

  /// The colour description of a map; its samples do not represent light.
  public static let color = ColorDescription(
    primaries: .unspecified, transfer: .linear, matrix: .rgb, range: .full)

  /// Returns the map as a 16-bit grey picture, for formats without floating-point samples; the largest code is 1.
  public func codedFrame(pool: WorkerPool) -> CodedFrame {
    let frame = CodedFrame(size: size, layout: PixelLayout(.rgb, bitDepth: 16), color: Self.color)
    pool.forRows(of: 3 * size.height) { lines in
      for line in lines {
        let y = line % size.height
        unsafe frame.withPlane(line / size.height) { plane in
          let target = unsafe plane.row(y).assumingMemoryBound(to: UInt16.self)
          for x in 0..<size.width {
            let value = values[y * size.width + x]
            // NaN becomes 0.
            unsafe target[x] = UInt16(((value > 0 ? min(value, 1) : 0) * Self.maximumCode).rounded())
          }
        }
      }
    }
    return frame
  }

  /// Returns the map as a grey picture of half floats.
  public func linearFrame(pool: WorkerPool) -> LinearFrame {
    let frame = LinearFrame(size: size)
    pool.forRows(of: size.height) { rows in
      let band = unsafe frame.band(rows: rows)
      for y in rows {
        let target = unsafe band.row(y - rows.lowerBound)
        for x in 0..<size.width {
          let value = Float16(values[y * size.width + x])
          unsafe (target.red[x], target.green[x], target.blue[x]) = (value, value, value)
        }
      }
    }
    return frame
  }

  /// Downscales the map to at most `columns` columns, by the mean of square blocks of pixels.
  /// - Parameter columns: At least 1.
  public func reduced(toColumns columns: Int) -> ConfidenceMap {
    let step = (size.width + columns - 1) / columns
    if step <= 1 { return self }
    let rows = min(step, size.height)
    let small = Size(width: max(size.width / step, 1), height: max(size.height / step, 1))
    var means: [Float] = []
    means.reserveCapacity(small.width * small.height)
    for y in 0..<small.height {
      for x in 0..<small.width {
        var sum: Float = 0
        for row in rows * y..<rows * (y + 1) {
          for column in step * x..<step * (x + 1) { sum += values[row * size.width + column] }
        }
        means.append(sum / Float(rows * step))
      }
    }
    return ConfidenceMap(size: small, values: means)
  }
}
