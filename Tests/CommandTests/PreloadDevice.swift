import Foundation
import TestSupport
import Testing

/// A capture device without a kernel, as tools/preload/device.h describes it.
struct PreloadDevice {
  static let path = "/dev/video70"

  private static let library: Result<String, any Error> = Result {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = root.appendingPathComponent("tools/preload/build")
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return root.appendingPathComponent(".build/preload/v4l2.so").path
  }

  private(set) var environment: [String: String]

  /// - Parameters:
  ///   - mode: "P010:320x180@50".
  ///   - script: What happens to it.
  ///   - variables: Others, without their prefix.
  init(_ mode: String, script: String? = nil, _ variables: [String: String] = [:]) throws {
    environment = ["LD_PRELOAD": try Self.library.get(), "V4L2_PRELOAD_MODES": mode, "V4L2_PRELOAD_PATH": Self.path]
    environment["V4L2_PRELOAD_SCRIPT"] = script
    for (name, value) in variables { environment["V4L2_PRELOAD_\(name)"] = value }
  }

  /// For a line of the shell.
  var assignments: String { environment.map { "\($0)='\($1)'" }.joined(separator: " ") }

  /// Runs the program with the device.
  func run(_ arguments: [String], in folder: URL? = nil) throws -> Command.Result {
    try Command.program(arguments, in: folder, environment: environment)
  }

  /// Shows the device on nothing.
  func preview(_ arguments: [String], in folder: URL? = nil) throws -> Command.Result {
    try run(["preview", Self.path, "--screen", "null"] + arguments, in: folder)
  }
}
