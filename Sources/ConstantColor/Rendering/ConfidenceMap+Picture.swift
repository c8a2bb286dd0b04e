internal import ColorScience
public import Frames
public import Rendering

extension ConfidenceMap {
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
