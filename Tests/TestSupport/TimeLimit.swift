public import Foundation

/// A time limit for a process that a test has started: a test may fail, but not hang.
public final class TimeLimit {
  private let item: DispatchWorkItem

  /// - Parameters:
  ///   - process: One that runs.
  ///   - seconds: After which it is killed; far more than any needs.
  public init(_ process: Process, seconds: Double = 300) {
    let number = process.processIdentifier
    let item = DispatchWorkItem {
      FileHandle.standardError.write(Data("A test's process \(number) was killed after \(seconds) s.\n".utf8))
      kill(number, SIGKILL)
    }
    self.item = item
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: item)
  }

  /// The process has ended.
  public func end() { item.cancel() }
}
