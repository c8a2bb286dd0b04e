public import ColorScience
public import Frames
public import Rendering

extension SceneImage {
  /// Returns the light as half floats, for a `FrameRenderer`.
  /// - Parameters:
  ///   - matrix: From R, G, B of the image to R, G, B of the frame.
  ///   - pool: Worker threads.
  public func linearFrame(by matrix: Matrix3 = .identity, pool: WorkerPool) -> LinearFrame {
    let frame = LinearFrame(size: size)
    let weights = (0..<3).map { row in SIMD3<Float>((0..<3).map { Float(matrix[row, $0]) }) }
    pool.forRows(of: size.height) { [size] rows in
      let band = unsafe frame.band(rows: rows)
      for y in rows {
        let target = unsafe band.row(y - rows.lowerBound)
        let (red, green, blue) = unsafe (self.row(0, y), self.row(1, y), self.row(2, y))
        for x in 0..<size.width {
          let light = unsafe SIMD3(red[x], green[x], blue[x])
          unsafe target.red[x] = Self.half((weights[0] * light).sum())
          unsafe target.green[x] = Self.half((weights[1] * light).sum())
          unsafe target.blue[x] = Self.half((weights[2] * light).sum())
        }
      }
    }
    return frame
  }

  /// Returns the nearest finite half float; 0 for NaN.
  @inline(__always)
  private static func half(_ value: Float) -> Float16 {
    let largest = Float(Float16.greatestFiniteMagnitude)
    return value < largest
      ? (value > -largest ? Float16(value) : value.isNaN ? 0 : -.greatestFiniteMagnitude)
      : value.isNaN ? 0 : .greatestFiniteMagnitude
  }

  /// Downscales the picture to at most `columns` columns, by the mean light of square blocks of pixels.
  /// - Parameters:
  ///   - columns: At least 1.
  ///   - pool: Worker threads.
  public func reduced(toColumns columns: Int, pool: WorkerPool) -> SceneImage {
    let step = (size.width + columns - 1) / columns
    if step <= 1 { return self }
    let (width, rows) = (max(size.width / step, 1), min(step, size.height))
    let result = SceneImage(
      size: Size(width: width, height: max(size.height / step, 1)), description: description)
    pool.forRows(of: 3 * result.size.height) { lines in
      for line in lines {
        let (channel, y) = (line / result.size.height, line % result.size.height)
        let target = unsafe result.row(channel, y)
        for row in rows * y..<rows * (y + 1) {
          let source = unsafe self.row(channel, row)
          for x in 0..<width {
            var sum: Float = 0
            for column in 0..<step { unsafe sum += source[step * x + column] }
            unsafe target[x] += sum
          }
        }
        for x in 0..<width { unsafe target[x] /= Float(rows * step) }
      }
    }
    return result
  }

  /// The mean R, G and B of the finite samples.
  public var mean: SIMD3<Double> {
    SIMD3(
      (0..<3).map { channel in
        var (sum, count) = (0.0, 0)
        for y in 0..<size.height {
          let samples = unsafe row(channel, y)
          for x in 0..<size.width where unsafe samples[x].isFinite {
            unsafe sum += Double(samples[x])
            count += 1
          }
        }
        return count == 0 ? 0 : sum / Double(count)
      })
  }

  /// Subtracts another picture of the same size and components.
  /// - Parameters:
  ///   - other: The picture to subtract, such as the one without the flash.
  ///   - gain: Factor of its light, such as the ratio of exposures.
  ///   - pool: Worker threads.
  public func subtracting(_ other: SceneImage, gain: Double, pool: WorkerPool) -> SceneImage {
    precondition(size == other.size)
    let (result, factor) = (SceneImage(size: size, description: description), Float(gain))
    pool.forRows(of: 3 * size.height) { [size] lines in
      for line in lines {
        let (channel, y) = (line / size.height, line % size.height)
        let (own, others, target) = unsafe (self.row(channel, y), other.row(channel, y), result.row(channel, y))
        for x in 0..<size.width { unsafe target[x] = own[x] - factor * others[x] }
      }
    }
    return result
  }

  /// Returns the picture turned by an orientation, or `self` if that changes nothing.
  public func turned(by orientation: Orientation, pool: WorkerPool) -> SceneImage {
    if orientation == .identity { return self }
    let result = SceneImage(size: orientation.rotated(size), description: description)
    pool.forRows(of: result.size.height) { [size] rows in
      // Column by column, so that a cache line of the source is used for several rows.
      for channel in 0..<3 {
        for x in 0..<result.size.width {
          for y in rows {
            let place = orientation.source(x: x, y: y, in: size)
            unsafe result.row(channel, y)[x] = self.row(channel, place.y)[place.x]
          }
        }
      }
    }
    return result
  }
}

extension FlatField {
  /// Returns the flat field turned by an orientation.
  public func turned(by orientation: Orientation) -> FlatField {
    let size = Size(width: columns, height: rows)
    let turned = orientation.rotated(size)
    let values = (0..<turned.width * turned.height).map { index in
      let place = orientation.source(x: index % turned.width, y: index / turned.width, in: size)
      return light[place.y * columns + place.x]
    }
    return FlatField(columns: turned.width, rows: turned.height, light: values)
  }
}
