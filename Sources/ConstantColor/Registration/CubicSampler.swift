internal import Frames
internal import Rendering

/// Reads a row of values between the pixels of a plane by Catmull-Rom cubic convolution.
///
/// Source: Keys (1981), "Cubic convolution interpolation for digital image processing", a = -1/2.
enum CubicSampler {
  /// Returns the weights of four neighbours, for a position `t` (0..<1) past the second.
  @inline(__always)
  static func weights(_ t: Float) -> SIMD4<Float> {
    let (square, cube) = (t * t, t * t * t)
    return SIMD4(
      -0.5 * t + square - 0.5 * cube, 1 - 2.5 * square + 1.5 * cube, 0.5 * t + 2 * square - 1.5 * cube,
      -0.5 * square + 0.5 * cube)
  }

  /// Splits a displacement into its integer part and the remainder, 0..<1.
  @inline(__always)
  static func parts(_ displacement: Float) -> (whole: Int, rest: Float) {
    // `rounded(.down)` is a function call on the oldest supported processors.
    let toZero = Int(displacement)
    let whole = displacement < Float(toZero) ? toZero - 1 : toZero
    return (whole, displacement - Float(whole))
  }

  /// Four neighbours of a row.
  @unsafe
  @inline(__always)
  static func neighbors(_ first: UnsafePointer<Float>) -> SIMD4<Float> {
    unsafe UnsafeRawPointer(first).loadUnaligned(as: SIMD4<Float>.self)
  }
}

extension Plane {
  /// Resamples the plane at the positions of a map; NaN outside.
  /// - Parameters:
  ///   - map: Positions of the pixels.
  ///   - scale: Pixels of the picture per pixel of the plane.
  ///   - picture: Size of the picture.
  func resampled(_ map: PixelMap, scale: Double, of picture: Size, pool: WorkerPool) -> Plane {
    let result = Plane(size: size)
    pool.forRows(of: size.height) { [self] rows in resample(rows, map, scale: scale, of: picture, into: result) }
    return result
  }

  /// Resamples some rows.
  func resample(_ rows: Range<Int>, _ map: PixelMap, scale: Double, of picture: Size, into result: Plane) {
    let width = size.width
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * width) { places in
      let right = unsafe UnsafeMutableBufferPointer(rebasing: places[..<width])
      let down = unsafe UnsafeMutableBufferPointer(rebasing: places[width...])
      for y in rows {
        let target = unsafe result.row(y)
        unsafe map.displacements(row: y, scale: scale, of: picture, into: right, down)
        for x in 0..<width { unsafe target[x] = value(x, right[x], y, down[x]) }
      }
    }
  }

  @inline(__always)
  private func value(_ x: Int, _ right: Float, _ y: Int, _ down: Float) -> Float {
    let (across, below) = (CubicSampler.parts(right), CubicSampler.parts(down))
    let (column, line) = (x + across.whole - 1, y + below.whole - 1)
    guard column >= 0, line >= 0, column + 4 <= size.width, line + 4 <= size.height else {
      return edgeValue(x, right, y, down)
    }
    let (columns, lines) = (CubicSampler.weights(across.rest), CubicSampler.weights(below.rest))
    var sum = SIMD4<Float>(repeating: 0)
    for index in 0..<4 {
      guard let start = unsafe row(line + index).baseAddress else { return .nan }
      unsafe sum += lines[index] * CubicSampler.neighbors(start + column)
    }
    return (sum * columns).sum()
  }

  /// Returns the value of a pixel exactly on the edge; NaN between pixels and outside.
  private func edgeValue(_ x: Int, _ right: Float, _ y: Int, _ down: Float) -> Float {
    guard right == 0, down == 0 else { return .nan }
    return unsafe row(y)[x]
  }
}
