internal import Frames

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
}
