/// A function on 0...`end` in `Double`, by cubic interpolation between equidistant points, clamped outside the range.
///
/// 4096 steps approximate every curve of H.273 to a relative error of 1e-9 wherever it exceeds 0.001 cd/m².
struct CurveTable: Sendable {
  static let steps = 4096
  /// Includes one point below 0 and one above `end`, extrapolated by a cubic from the nearest four, then padding of
  /// weight 0.
  private let values: [Double]
  private let end: Double

  init(end: Double = 1, _ function: (Double) -> Double) {
    self.end = end
    let inner = (0...Self.steps).map { function(Double($0) / Double(Self.steps) * end) }
    func beyond(_ points: [Double]) -> Double { 4 * points[0] - 6 * points[1] + 4 * points[2] - points[3] }
    values = [beyond(Array(inner.prefix(4)))] + inner + [beyond(inner.suffix(4).reversed()), 0]
  }

  /// Shares the table between all look-ups of a row, to avoid bounds checks.
  func withPoints<Result>(_ body: (Points) -> Result) -> Result {
    unsafe values.withUnsafeBufferPointer {
      unsafe body(Points(first: $0.baseAddress.unsafelyUnwrapped, end: end, scale: Double(Self.steps) / end))
    }
  }

  /// The table shared by `withPoints`.
  @safe
  struct Points {
    // @safe: the index is limited to the table, which outlives the call.
    fileprivate let first: UnsafePointer<Double>
    fileprivate let end: Double
    fileprivate let scale: Double

    @inline(__always)
    func value(at x: Double) -> Double {
      // NaN becomes 0.
      let position = (x > 0 ? min(x, end) : 0) * scale
      let index = min(Int(position), CurveTable.steps)
      let t = position - Double(index)
      let (a, b, c, d) = unsafe (first[index], first[index + 1], first[index + 2], first[index + 3])
      // Lagrange's cubic through the points at -1, 0, 1 and 2.
      let (u, v, w) = (t + 1, t - 1, t - 2)
      return (u * w * (b * v * 3 - c * t * 3) + t * v * (d * u - a * w)) / 6
    }
  }
}

/// Floats at a fixed address, aligned for vector loads, that kernels read.
@safe
package final class FloatTable: @unchecked Sendable {
  // @unchecked and @safe: written only in `init`, freed in `deinit`; users of `base` retain this object.
  package let count: Int
  private let storage: UnsafeMutablePointer<Float>

  package init(_ values: [Float]) {
    count = values.count
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: values.count * MemoryLayout<Float>.stride, alignment: 64)
    unsafe storage = memory.bindMemory(to: Float.self, capacity: values.count)
    for (index, value) in values.enumerated() { unsafe storage[index] = value }
  }

  deinit { unsafe storage.deallocate() }

  /// The first value.
  @unsafe
  package var base: UnsafePointer<Float> { unsafe UnsafePointer(storage) }

  package subscript(index: Int) -> Float {
    precondition(index >= 0 && index < count)
    return unsafe storage[index]
  }
}
