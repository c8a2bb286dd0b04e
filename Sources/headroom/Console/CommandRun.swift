internal import Synchronization

/// Runs a command line in this process, one at a time, and collects its output.
///
/// Shares the environment, working folder, standard input and signals with the process. Verbs that start workers
/// (several films, `--jobs`) execute the program's own file, and do not work here.
package struct CommandRun {
  /// The exit status.
  package let status: Int32
  /// Standard output.
  package let output: String
  /// Standard error.
  package let messages: String

  private static let turn = Mutex(())

  /// - Parameter arguments: The words after the program name.
  package init(_ arguments: [String]) {
    var status: Int32 = 0
    let text = Self.turn.withLock { _ in Console.keeping { status = Headroom.status(of: arguments) } }
    self.status = status
    output = String(decoding: text.output, as: UTF8.self)
    messages = String(decoding: text.messages, as: UTF8.self)
  }
}
