/// Floats at a fixed address, aligned for vector loads, that kernels read.
@safe
package final class FloatTable: @unchecked Sendable {
  // @unchecked and @safe: written in `init` only, freed in `deinit`; whoever uses `base` retains this object.
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
