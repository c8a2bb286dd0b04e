/// Rows of one element type that a worker reuses for every band, with margins for whole vectors and for the neighbours
/// of the end samples.
@safe
package final class RowStorage<Element: BitwiseCopyable> {
  // @safe: row pointers are passed only to code that retains this object and respects the margins.
  private static var margin: Int { 32 }

  /// Elements from one row to the next.
  package let stride: Int
  private let memory: UnsafeMutableRawPointer

  package init(rows: Int, width: Int) {
    // A multiple of a cache line, but less likely than a power of two to be a multiple of a page.
    stride = ((width + 31) & ~31) + 2 * Self.margin
    let bytes = rows * stride * MemoryLayout<Element>.stride
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
  }

  deinit { unsafe memory.deallocate() }

  /// The first element of row `index`.
  @unsafe
  package func row(_ index: Int) -> UnsafeMutablePointer<Element> {
    unsafe memory.assumingMemoryBound(to: Element.self) + index * stride + Self.margin
  }
}
