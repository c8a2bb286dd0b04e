internal import Glibc

/// What the system has left.
package enum SystemMemory {
  /// Bytes that are to be had where the system is not out of memory.
  private static let some = 1 << 28

  /// Whether there is memory. Libraries say "out of memory" of sizes in damaged files, too, that no system could give.
  package static var isLeft: Bool {
    let memory = unsafe mmap(nil, some, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return false }
    unsafe munmap(memory, some)
    return true
  }
}
