import Foundation
import Frames
import Preview
import TestSupport

/// An X server without a screen, and maybe a Wayland compositor in it; the environment of this process names it.
final class TestDisplay {
  struct Failure: Error { let reason: String }

  private var processes: [Process] = []
  private var folder: URL?

  static let isAvailable = ["Xvfb", "xdotool", "import"].allSatisfy(has)
  static let hasWeston = has("weston")

  private static func has(_ tool: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let isThere = path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
    }
    if !isThere { noteSkip("windows on displays, as \(tool) is not installed") }
    return isThere
  }

  /// The server ends by itself with its last client.
  /// - Parameter size: Width, height and depth: "800x600x24".
  init(size: String, isWayland: Bool = false) throws {
    let numbers = Pipe()
    let server = try start(
      "Xvfb", ["-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp", "-terminate"],
      output: numbers)
    processes.append(server)
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      guard let byte = try numbers.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
        throw Failure(reason: "Xvfb has not started.")
      }
      line += byte
    }
    let number = String(decoding: line.dropLast(), as: UTF8.self)
    for name in ["WAYLAND_DISPLAY", "SDL_VIDEODRIVER"] { unsafe unsetenv(name) }
    unsafe setenv("DISPLAY", ":\(number)", 1)
    if isWayland { try startWeston() }
  }

  private func startWeston() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "headroom-\(getpid())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    self.folder = folder
    unsafe setenv("XDG_RUNTIME_DIR", folder.path, 1)
    let name = "headroom-test"
    processes.append(
      try start(
        "weston",
        [
          "--backend=x11-backend.so", "--socket=\(name)", "--width=780", "--height=480",
          "--scale=2", "--idle-time=0",
          "--no-config", "--log=/dev/null",
        ]))
    let isThere = comesTrue(every: 0.05) {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }
    guard isThere else { throw Failure(reason: "Weston has not started.") }
    unsafe setenv("WAYLAND_DISPLAY", name, 1)
  }

  private func start(_ tool: String, _ arguments: [String], output: Pipe? = nil) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  deinit { end() }

  /// Ends the servers, the last one first.
  func end() {
    for process in processes.reversed() where process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    processes = []
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  /// The X server does nothing more.
  func freeze() { for process in processes { kill(process.processIdentifier, SIGSTOP) } }

  /// What the whole display shows, as X'R'G'B' of 8 bits.
  func pixels() throws -> [UInt32] {
    let output = Pipe()
    let process = try start("import", ["-window", "root", "-depth", "8", "rgb:-"], output: output)
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let bytes = [UInt8](data)
    return (0..<bytes.count / 3).map { index in
      UInt32(bytes[3 * index]) << 16 | UInt32(bytes[3 * index + 1]) << 8
        | UInt32(bytes[3 * index + 2])
    }
  }

  /// Presses a key on the keyboard, with Shift where its character needs it.
  func press(_ press: PreviewKey.Press) throws {
    let arguments: [String] =
      switch press {
      case .character(let character): ["type", "--", String(character)]
      case .special(.escape): ["key", "Escape"]
      case .special(.space): ["key", "space"]
      case .special(.left): ["key", "Left"]
      case .special(.right): ["key", "Right"]
      case .special(.up): ["key", "Up"]
      case .special(.down): ["key", "Down"]
      case .special(.f11): ["key", "F11"]
      }
    try useXdotool(arguments)
  }

  /// Moves the pointer.
  func movePointer(x: Int, y: Int) throws { try useXdotool(["mousemove", "\(x)", "\(y)"]) }

  private func useXdotool(_ arguments: [String]) throws {
    let process = try start("xdotool", arguments)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(reason: "xdotool failed.") }
  }
}

extension OpenWindow {
  /// Waits until something is true of it. Pixels take a while to be read.
  func waits(for isTrue: (OpenWindow) -> Bool) -> Bool { comesTrue(every: 0.05) { isTrue(self) } }
}

extension WindowPicture {
  /// Whether the picture is somewhere in a larger one, pixel for pixel.
  func isFound(in pixels: [UInt32], width: Int) -> Bool {
    let first = row(0)
    for start in 0..<max(pixels.count - first.count, 0)
    where pixels[start] == first[0] && pixels[start + 1] == first[1] {
      guard pixels[start..<start + first.count].elementsEqual(first) else { continue }
      return (0..<frame.size.height).allSatisfy { y in
        let begin = start + y * width
        return begin + first.count <= pixels.count
          && pixels[begin..<begin + first.count].elementsEqual(row(y))
      }
    }
    return false
  }

  private func row(_ y: Int) -> [UInt32] {
    (0..<frame.size.width).map { x in
      UInt32(frame.sample(plane: 2, x: x, y: y)) << 16 | UInt32(frame.sample(plane: 0, x: x, y: y))
        << 8
        | UInt32(frame.sample(plane: 1, x: x, y: y))
    }
  }
}
