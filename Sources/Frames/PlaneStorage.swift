internal import Glibc

/// Memory of a frame, allocated by Headroom.
@safe
final class PlaneStorage: @unchecked Sendable {
  // @unchecked: the planes belong to one frame at a time, whose rules of access apply.
  // @safe: the memory is freed with this object, which every frame over it retains.
  let planes: [CodedFrame.Plane]
  private let memory: UnsafeMutableRawPointer

  init(size: Size, layout: PixelLayout) {
    let sizes = (0..<layout.planeCount).map { layout.planeSize($0, of: size) }
    let strides = sizes.map { ($0.width * layout.bytesPerSample + 63) & ~63 }
    let total = zip(sizes, strides).reduce(0) { $0 + $1.0.height * $1.1 }
    unsafe memory = ZeroedMemory.allocate(byteCount: max(total, 64))
    var planes: [CodedFrame.Plane] = unsafe []
    var offset = 0
    for (size, stride) in zip(sizes, strides) {
      unsafe planes.append(CodedFrame.Plane(base: memory + offset, stride: stride, size: size))
      offset += size.height * stride
    }
    unsafe self.planes = unsafe planes
  }

  deinit { unsafe ZeroedMemory.free(memory) }
}

/// Zeroed memory that the system commits only when it is touched: sizes that a file states but does not fill cost
/// nothing.
package enum ZeroedMemory {
  /// Alignment of every allocation.
  private static let alignment = 64

  /// - Parameters:
  ///   - byteCount: Above 0.
  ///   - isDense: All of it will be written, so that large pages save most page faults and waste nothing.
  /// - Returns: Memory aligned to 64 bytes, released by `free(_:)`. Traps if the system is out of memory, as Swift's
  ///   own allocations do.
  package static func allocate(byteCount: Int, isDense: Bool = false) -> UnsafeMutableRawPointer {
    guard let start = unsafe calloc(1, byteCount + alignment) else { fatalError("The system has no memory left.") }
    if isDense { unsafe advise(start, byteCount + alignment) }
    // Room for the start address below the result: calloc aligns to 16 bytes.
    let address = UInt(bitPattern: start)
    let shift = alignment - Int(address & UInt(alignment - 1))
    let memory = unsafe start + shift
    unsafe memory.storeBytes(of: shift, toByteOffset: -MemoryLayout<Int>.size, as: Int.self)
    return unsafe memory
  }

  /// Size of the processor's large pages; elsewhere, the advice is refused or has no effect.
  private static let largePage = 2 << 20

  /// Requests large pages where whole ones fit.
  private static func advise(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
    let first = (UInt(bitPattern: start) + UInt(largePage - 1)) & ~UInt(largePage - 1)
    let end = (UInt(bitPattern: start) + UInt(byteCount)) & ~UInt(largePage - 1)
    guard end > first, let pages = unsafe UnsafeMutableRawPointer(bitPattern: first) else { return }
    unsafe madvise(pages, Int(end - first), MADV_HUGEPAGE)
  }

  package static func free(_ memory: UnsafeMutableRawPointer) {
    let shift = unsafe memory.load(fromByteOffset: -MemoryLayout<Int>.size, as: Int.self)
    unsafe Glibc.free(memory - shift)
  }
}
