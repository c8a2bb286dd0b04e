import Foundation

/// The built program, run to its end.
struct Command {
  struct Result {
    let status: Int32
    let output: String
    let messages: String
  }

  /// Products lie beside the test bundle.
  static let url = Bundle.main.bundleURL.appendingPathComponent("headroom")

  static func start(_ arguments: [String], input: Data? = nil) throws -> (Process, Pipe, Pipe) {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return (process, output, messages)
  }

  @discardableResult
  static func run(_ arguments: [String]) throws -> Result {
    let (process, output, messages) = try start(arguments)
    // Both pipes are emptied at once, so that neither fills up and stops the program.
    nonisolated(unsafe) var errors = Data()
    let reader = Thread { errors = messages.fileHandleForReading.readDataToEndOfFile() }
    reader.start()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    while !reader.isFinished { Thread.sleep(forTimeInterval: 0.002) }
    return Result(
      status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
      messages: String(decoding: errors, as: UTF8.self))
  }
}
