public import Foundation

/// A program run to its end.
public struct Tool: Sendable {
  public let name: String

  public static let ffmpeg = Tool(name: "ffmpeg")
  public static let ffprobe = Tool(name: "ffprobe")

  public struct Failure: Error {
    public let command: String
    public let status: Int32
  }

  /// Standard output of the program, cached or made.
  @discardableResult
  public func run(_ arguments: [String]) throws -> Data {
    try Self.output(of: name, ["-hide_banner", "-v", "quiet"] + arguments)
  }

  /// Standard output of the program of this name or path, cached or made.
  static func output(of name: String, _ arguments: [String]) throws -> Data {
    guard let kept = KeptResults(program: name, arguments: arguments) else { return try made(by: name, arguments) }
    return try kept.result { try made(by: name, arguments) }
  }

  private static func made(by name: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let limit = TimeLimit(process)
    defer { limit.end() }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(command: ([name] + arguments).joined(separator: " "), status: process.terminationStatus)
    }
    return data
  }
}
