internal import Glibc

/// Whether the system has free memory.
package enum SystemMemory {
  /// An amount of bytes that is available unless the system is out of memory.
  private static let some = 1 << 28

  /// Whether memory is available. Libraries also report "out of memory" for impossible sizes in damaged files.
  package static var isLeft: Bool {
    let memory = unsafe mmap(nil, some, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
    unsafe munmap(memory, some)
    return true
  }
}
