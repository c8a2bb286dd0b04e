internal import Synchronization

/// A command line that was run inside of this process, one at a time. Environment, working folder, standard input and signals are
/// those of the process; verbs that start workers (many films, `--jobs`) need the program.
package struct CommandRun {
  /// The exit status.
  package let status: Int32
  /// Standard output.
  package let output: String
  /// Standard error.
  package let messages: String

  private static let turn = Mutex(())

  /// - Parameter arguments: The words after the program's name.
  package init(_ arguments: [String]) {
    var status: Int32 = 0
    let text = Self.turn.withLock { _ in Console.keeping { status = Headroom.status(of: arguments) } }
    self.status = status
    output = String(decoding: text.output, as: UTF8.self)
    messages = String(decoding: text.messages, as: UTF8.self)
  }
}
