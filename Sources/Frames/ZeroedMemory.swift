internal import Glibc

/// Memory that is all zero, taken from the system as it is touched and not before: what a file announces and does not
/// hold costs nothing.
package enum ZeroedMemory {
  /// Bytes that every allocation is aligned to.
  private static let alignment = 64

  /// - Parameter byteCount: Above 0.
  /// - Returns: Memory aligned to 64 bytes, to be given to `free(_:)`. There is no return where the system has none
  ///   left, as with Swift's own allocations.
  package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    guard let start = unsafe calloc(1, byteCount + alignment) else { fatalError("The system has no memory left.") }
    // Room for the address of the start below what is handed out: calloc aligns to 16 bytes.
    let address = UInt(bitPattern: start)
    let shift = alignment - Int(address & UInt(alignment - 1))
    let memory = unsafe start + shift
    unsafe memory.storeBytes(of: shift, toByteOffset: -MemoryLayout<Int>.size, as: Int.self)
    return unsafe memory
  }

  package static func free(_ memory: UnsafeMutableRawPointer) {
    let shift = unsafe memory.load(fromByteOffset: -MemoryLayout<Int>.size, as: Int.self)
    unsafe Glibc.free(memory - shift)
  }
}
