internal import Frames
internal import Glibc

/// Whether the system has free memory.
package enum SystemMemory {
  /// Bytes that are available unless the system is out of memory.
  private static let some = 1 << 28

  /// Whether memory is available. Libraries also report "out of memory" for impossible sizes in damaged files.
  package static var isLeft: Bool { has(some) }

  /// Whether an amount of bytes is available.
  static func has(_ count: Int) -> Bool {
    let memory = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
    unsafe munmap(memory, count)
    return true
  }

  /// Whether an encoder may find enough memory: x265 holds about 100 pictures, of 3 bytes a pixel in 10-bit 4:2:0.
  static func isLeft(toEncode size: Size) -> Bool {
    has(min(max(size.width * size.height * 300, some), 1 << 32))
  }
}
