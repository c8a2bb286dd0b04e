internal import Files
internal import Foundation
internal import Synchronization

/// This program's executable.
enum SystemProgram {
  /// Its path, however it was started.
  static var path: String { FileLocation.resolved("/proc/self/exe") }
}

/// The terminal on standard output.
enum Terminal {
  static var isOutput: Bool { isatty(STDOUT_FILENO) != 0 }

  /// Width in columns.
  static var width: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// Concurrent processes of this program: encoders in one process would share tables and memory.
final class LocalWorkers: Sendable {
  private let count: Int
  private let arguments: [String]
  private let processes = Mutex<[ChildProcess]>([])

  init(count: Int, arguments: [String]) { (self.count, self.arguments) = (count, arguments) }

  /// Runs the processes until all have ended, and forwards signals.
  /// - Parameter isWhole: Returns whether the work is complete: another process may have replaced a failed one.
  /// - Throws: The status of the first failed process.
  func run(_ isWhole: () throws -> Bool) throws {
    let interruption = Interruption(
      first: { [self] in signal(SIGTERM) }, second: { [self] in signal(SIGKILL) })
    defer { signal(SIGTERM) }
    for _ in 0..<count { try start() }
    var codes: [Int32] = []
    for process in processes.withLock({ $0 }) {
      codes.append(process.wait())
      processes.withLock { $0.removeAll { $0 === process } }
    }
    if let status = interruption.status { throw status }
    guard let code = codes.first(where: { $0 != 0 }), try !isWhole() else { return }
    throw ExitStatus(rawValue: code) ?? .failed
  }

  private func start() throws {
    do throws(ChildProcess.Failure) {
      let process = try ChildProcess(SystemProgram.path, arguments)
      processes.withLock { $0.append(process) }
    } catch {
      throw CommandFailure(
        "Cannot start another process of this program: \(unsafe String(cString: strerror(error.code))).", .retry)
    }
  }

  private func signal(_ number: Int32) {
    for process in processes.withLock({ $0 }) { process.signal(number) }
  }
}
