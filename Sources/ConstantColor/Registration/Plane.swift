internal import Frames
internal import Rendering

/// One value per pixel of a picture, or of a reduced one. NaN marks pixels without information.
@safe
final class Plane: @unchecked Sendable {
  // @unchecked: threads write disjoint rows before the plane is handed on; from then on it is only read.
  // @safe: rows are used only while the plane is retained.

  /// Columns and rows.
  let size: Size
  private let memory: UnsafeMutablePointer<Float>

  /// Creates a plane of zeros.
  init(size: Size) {
    self.size = size
    unsafe memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, size.width * size.height))
    unsafe memory.initialize(repeating: 0, count: max(1, size.width * size.height))
  }

  deinit { unsafe memory.deallocate() }

  /// All values, row by row.
  var values: [Float] { unsafe Array(UnsafeBufferPointer(start: memory, count: size.width * size.height)) }

  /// Returns the values of row `y`; they must not outlive the plane.
  @unsafe
  @inline(__always)
  func row(_ y: Int) -> UnsafeMutableBufferPointer<Float> {
    assert(0..<size.height ~= y)
    return unsafe UnsafeMutableBufferPointer(start: memory + y * size.width, count: size.width)
  }

  /// Returns the values of the row nearest to `y`.
  @unsafe
  @inline(__always)
  func clampedRow(_ y: Int) -> UnsafeMutableBufferPointer<Float> { unsafe row(min(max(y, 0), size.height - 1)) }

  /// Smooths with the binomial 1 4 6 4 1 in both directions.
  func smoothed(pool: WorkerPool) -> Plane {
    let result = Plane(size: size)
    pool.forRows(of: size.height) { [self] rows in
      let width = size.width
      unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: width + 4) { line in
        for y in rows {
          let (a, b, c) = unsafe (clampedRow(y - 2), clampedRow(y - 1), row(y))
          let (d, e, target) = unsafe (clampedRow(y + 1), clampedRow(y + 2), result.row(y))
          for x in 0..<width { unsafe line[x + 2] = (a[x] + e[x] + 4 * (b[x] + d[x]) + 6 * c[x]) * (1 / 16) }
          unsafe (line[0], line[1]) = unsafe (line[2], line[2])
          unsafe (line[width + 2], line[width + 3]) = unsafe (line[width + 1], line[width + 1])
          for x in 0..<width {
            let (outer, inner) = unsafe (line[x] + line[x + 4], line[x + 1] + line[x + 3])
            unsafe target[x] = (outer + 4 * inner + 6 * line[x + 2]) * (1 / 16)
          }
        }
      }
    }
    return result
  }

  /// Returns means over squares of `2 * radius + 1` pixels, cropped at the picture edges; NaN where a pixel is NaN.
  func boxMeans(radius: Int, pool: WorkerPool) -> Plane {
    let result = Plane(size: size)
    pool.forRows(of: size.height) { [self] rows in
      unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: size.width) { columns in
        for y in rows {
          unsafe columns.update(repeating: 0)
          let window = max(0, y - radius)...min(size.height - 1, y + radius)
          for other in window {
            let source = unsafe row(other)
            for x in 0..<size.width { unsafe columns[x] += source[x] }
          }
          unsafe Self.slide(columns, radius, rows: Float(window.count), into: result.row(y))
        }
      }
    }
    return result
  }

  private static func slide(
    _ columns: UnsafeMutableBufferPointer<Float>, _ radius: Int, rows: Float,
    into target: UnsafeMutableBufferPointer<Float>
  ) {
    let width = columns.count
    // Double: a long running sum must not drift. NaNs are counted, not added: they would never leave the sum.
    var (sum, count, unknown) = (0.0, 0, 0)
    func change(_ x: Int, by sign: Int) {
      let value = unsafe columns[x]
      count += sign
      if value.isFinite { sum += Double(sign) * Double(value) } else { unknown += sign }
    }
    for x in 0..<min(radius, width) { change(x, by: 1) }
    for x in 0..<width {
      if x + radius < width { change(x + radius, by: 1) }
      if x - radius - 1 >= 0 { change(x - radius - 1, by: -1) }
      unsafe target[x] = unknown > 0 ? .nan : Float(sum) / (rows * Float(count))
    }
  }

  /// Returns the plane at half the size: means of squares of four pixels.
  func halved(pool: WorkerPool) -> Plane {
    let result = Plane(size: Size(width: max(1, size.width / 2), height: max(1, size.height / 2)))
    pool.forRows(of: result.size.height) { [self] rows in
      for y in rows {
        let (first, second, target) = unsafe (row(2 * y), clampedRow(2 * y + 1), result.row(y))
        for x in 0..<result.size.width {
          let right = min(2 * x + 1, size.width - 1)
          unsafe target[x] = (first[2 * x] + first[right] + second[2 * x] + second[right]) * 0.25
        }
      }
    }
    return result
  }

  /// Combines the values of this plane with those of another one of the same size.
  func combined(
    with other: Plane, pool: WorkerPool, _ value: @escaping @Sendable (_ own: Float, _ others: Float) -> Float
  ) -> Plane {
    let result = Plane(size: size)
    pool.forRows(of: size.height) { [self] rows in
      for y in rows {
        let (own, others, target) = unsafe (row(y), other.row(y), result.row(y))
        for x in 0..<size.width { unsafe target[x] = value(own[x], others[x]) }
      }
    }
    return result
  }
}

extension WorkerPool {
  /// Rows per band: constant, so that sums do not depend on the number of workers.
  static var bandHeight: Int { 16 }

  /// Calls `body` for bands of rows that together cover `height` rows.
  func forRows(of height: Int, _ body: @escaping @Sendable (_ rows: Range<Int>) -> Void) {
    forEachBand(of: height, span: Self.bandHeight) { rows, _, _ in body(rows) }
  }

  /// Returns the results of `body` for bands of rows that together cover `height` rows, in order.
  func results<Result: Sendable>(
    of height: Int, _ body: @escaping @Sendable (_ rows: Range<Int>) -> Result
  ) -> [Result] {
    let results = BandResults<Result>(count: (height + Self.bandHeight - 1) / Self.bandHeight)
    forRows(of: height) { rows in results.set(rows.lowerBound / Self.bandHeight, body(rows)) }
    return results.all
  }
}

/// Results of bands, written by several threads, each in a separate slot.
@safe
private final class BandResults<Result: Sendable>: @unchecked Sendable {
  // @unchecked: each slot is written by one thread, and read after all have finished.
  private let places: UnsafeMutableBufferPointer<Result?>

  init(count: Int) {
    unsafe places = .allocate(capacity: count)
    unsafe places.initialize(repeating: nil)
  }

  deinit {
    unsafe places.deinitialize()
    unsafe places.deallocate()
  }

  func set(_ index: Int, _ result: Result) { unsafe places[index] = result }

  var all: [Result] { unsafe places.compactMap { $0 } }
}
