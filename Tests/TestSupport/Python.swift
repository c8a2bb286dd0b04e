internal import Foundation

/// Python as an independent judge, with numpy and what comes with Python alone.
public enum Python {
  /// Standard output of a script.
  public static func run(_ script: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Tool.Failure(command: "python3", status: process.terminationStatus)
    }
    return String(decoding: data, as: UTF8.self)
  }
}
