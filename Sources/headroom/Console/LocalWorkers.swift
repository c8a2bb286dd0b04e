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
  private let processes: Mutex<[Process]>

  init(count: Int, arguments: [String]) {
    processes = Mutex(
      (0..<count).map { _ in
        let process = Process()
        process.executableURL = URL(fileURLWithPath: SystemProgram.path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        return process
      })
  }

  /// Runs them until all have ended. Signals are passed on.
  /// - Parameter isWhole: Whether what they were to do is done: one that failed may have been replaced by another.
  /// - Throws: The status of the first that failed.
  func run(_ isWhole: () throws -> Bool) throws {
    let interruption = Interruption(
      first: { [self] in signal(SIGTERM) }, second: { [self] in signal(SIGKILL) })
    for process in processes.withLock({ $0 }) { try process.run() }
    for process in processes.withLock({ $0 }) { process.waitUntilExit() }
    if let status = interruption.status { throw status }
    let codes = processes.withLock { $0.map(\.terminationStatus) }
    guard let code = codes.first(where: { $0 != 0 }), try !isWhole() else { return }
    throw ExitStatus(rawValue: code) ?? .failed
  }

  private func signal(_ number: Int32) {
    for process in processes.withLock({ $0 }) where process.isRunning { kill(process.processIdentifier, number) }
  }
}
