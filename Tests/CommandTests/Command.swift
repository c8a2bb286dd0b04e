import Foundation
import TestSupport

import headroom

/// Runs command lines, inside of the test's process or by starting the program.
struct Command {
  struct Result {
    let status: Int32
    let output: String
    let messages: String
  }

  /// Runs a command line inside of this process, which is what most tests need: it starts in no time.
  @discardableResult
  static func run(_ arguments: [String]) throws -> Result {
    let run = CommandRun(arguments)
    return Result(status: run.status, output: run.output, messages: run.messages)
  }

  /// Products lie beside the test bundle.
  static let url = Bundle.main.bundleURL.appendingPathComponent("headroom")

  /// Starts the program without waiting for it.
  static func start(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:], output: Any, messages: Any
  ) throws -> Process {
    let process = Process()
    process.executableURL = url
    if let folder { process.currentDirectoryURL = folder }
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = messages
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// The exit status of a shell command.
  static func shell(_ line: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let limit = TimeLimit(process)
    defer { limit.end() }
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Starts the program: for what is written to standard output, read from standard input, depends on the working folder or
  /// the environment, or is done by workers that are processes.
  @discardableResult
  static func program(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    // Messages go to a file: two pipes would have to be emptied at once.
    let scratch = try Scratch()
    let messages = scratch.path("messages")
    try Data().write(to: URL(fileURLWithPath: messages))
    let output = Pipe()
    let process = try start(
      arguments, in: folder, environment: environment, output: output,
      messages: try FileHandle(forWritingTo: URL(fileURLWithPath: messages)))
    let limit = TimeLimit(process)
    defer { limit.end() }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
      messages: try String(contentsOfFile: messages, encoding: .utf8))
  }
}
