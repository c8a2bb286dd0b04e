internal import Foundation

/// Adds an error message and an exit status when the system runs out of memory, where Swift traps.
enum MemoryShortage {
  private static let message =
    "headroom: error: There is not enough memory: use a smaller picture or fewer threads, or raise the limit (ulimit -v).\n"
  private static let bytes = Array(message.utf8)
  private static let signals = [SIGABRT, SIGILL, SIGTRAP, SIGSEGV]
  nonisolated(unsafe) private static var previous = Array(repeating: sigaction(), count: signals.count)

  /// If this many bytes are available, the crash has another cause. A thread reserves as much for its heap.
  private static let probe = 1 << 26

  /// Installs the handler. Must be called once at startup.
  static func watch() {
    // Allocated now, because nothing can be allocated later.
    _ = (bytes.count, signals.count)
    for (index, number) in signals.enumerated() {
      var (action, before) = (sigaction(), sigaction())
      unsafe action.__sigaction_handler.sa_handler = { number in MemoryShortage.end(number) }
      unsafe sigaction(number, &action, &before)
      unsafe previous[index] = before
    }
  }

  /// Called by the handler.
  private static func end(_ number: Int32) {
    let room = unsafe mmap(nil, probe, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if unsafe room == MAP_FAILED {
      _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
      _exit(ExitStatus.retry.rawValue)
    }
    // Memory is available: restore the previous handler and let the fault recur.
    unsafe munmap(room, probe)
    for (index, signal) in signals.enumerated() where signal == number {
      unsafe sigaction(number, &previous[index], nil)
    }
    if number == SIGABRT { raise(number) }
  }
}
