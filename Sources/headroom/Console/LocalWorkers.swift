internal import Files
internal import Foundation
internal import Synchronization

/// This program's own file.
enum SystemProgram {
  /// Where it is, whatever it was started as.
  static var path: String { FileLocation.resolved("/proc/self/exe") }
}

/// The terminal that results go to.
enum Terminal {
  static var isOutput: Bool { isatty(STDOUT_FILENO) != 0 }

  /// Columns.
  static var width: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// Processes of this program that work side by side: encoders of one process would share tables and memory.
final class LocalWorkers: Sendable {
  private let count: Int
  private let arguments: [String]
  private let processes = Mutex<[ChildProcess]>([])

  init(count: Int, arguments: [String]) { (self.count, self.arguments) = (count, arguments) }

  /// Runs them until all have ended. Signals are passed on.
  /// - Parameter isWhole: Whether what they were to do is done: one that failed may have been replaced by another.
  /// - Throws: The status of the first that failed.
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
