internal import Frames
internal import Rendering

/// Reads a row of values between the pixels of a plane by the cubic convolution of Catmull and Rom.
///
/// Source: Keys (1981), "Cubic convolution interpolation for digital image processing", a = -1/2.
enum CubicSampler {
  /// The weights of four neighbours, for a place `t` (0..<1) past the second.
  @inline(__always)
  static func weights(_ t: Float) -> SIMD4<Float> {
    let (square, cube) = (t * t, t * t * t)
    return SIMD4(
      -0.5 * t + square - 0.5 * cube, 1 - 2.5 * square + 1.5 * cube, 0.5 * t + 2 * square - 1.5 * cube,
      -0.5 * square + 0.5 * cube)
  }

  /// The whole part of a displacement, and what is left of it, 0..<1.
  @inline(__always)
  static func parts(_ displacement: Float) -> (whole: Int, rest: Float) {
    // Without `rounded(.down)`, which is a call on processors of the oldest kind.
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
  /// The plane read at the places of a map; NaN where they lie outside.
  /// - Parameters:
  ///   - map: Where its pixels lie.
  ///   - scale: Pixels of the picture for each of the plane.
  ///   - picture: The picture.
  func resampled(_ map: PixelMap, scale: Double, of picture: Size, pool: WorkerPool) -> Plane {
    let result = Plane(size: size)
    pool.forRows(of: size.height) { [self] rows in resample(rows, map, scale: scale, of: picture, into: result) }
    return result
  }

  /// The same for some rows.
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

  /// The value of a whole pixel on the edge; NaN between and outside.
  private func edgeValue(_ x: Int, _ right: Float, _ y: Int, _ down: Float) -> Float {
    guard right == 0, down == 0 else { return .nan }
    return unsafe row(y)[x]
  }
}
