internal import Frames

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

  /// Four neighbours of a row.
  @unsafe
  @inline(__always)
  static func neighbors(_ first: UnsafePointer<Float>) -> SIMD4<Float> {
    unsafe UnsafeRawPointer(first).loadUnaligned(as: SIMD4<Float>.self)
  }
}

extension Plane {
  /// The value at a place between pixels; NaN outside the plane.
  @inline(__always)
  func value(_ x: Double, _ y: Double) -> Float {
    guard x >= 1, y >= 1, x < Double(size.width - 2), y < Double(size.height - 2) else { return .nan }
    let (column, line) = (Int(x), Int(y))
    let (across, down) = (CubicSampler.weights(Float(x) - Float(column)), CubicSampler.weights(Float(y) - Float(line)))
    let start = column - 1
    var sum = SIMD4<Float>(repeating: 0)
    for index in 0..<4 {
      guard let base = unsafe row(line - 1 + index).baseAddress else { return .nan }
      unsafe sum += down[index] * CubicSampler.neighbors(base + start)
    }
    return (sum * across).sum()
  }
}
