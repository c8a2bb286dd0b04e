/// Rows of one element type that a worker uses again for every band, each with room before and behind for whole
/// vectors and for the neighbours of its end samples.
@safe
package final class RowStorage<Element: BitwiseCopyable> {
  // @safe: rows are handed out as pointers only to code that retains this object and honours the margins.
  private static var margin: Int { 32 }

  /// Elements from one row to the next.
  package let stride: Int
  private let memory: UnsafeMutableRawPointer

  package init(rows: Int, width: Int) {
    // A multiple of a cache line, less likely to be a multiple of a page than a power of two is.
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
