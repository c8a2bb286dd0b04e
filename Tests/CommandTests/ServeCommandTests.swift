import Foundation
import TestSupport
import Testing

/// `headroom serve` as a program: what it prints, and how it and its server end.
@Suite struct ServeCommandTests {
  /// A preview that is served, its URL read.
  private final class Running {
    let process: Process
    let url: String
    let scratch: Scratch
    private let limit: TimeLimit

    /// - Parameter device: Shown instead of a film.
    init(_ arguments: [String] = [], device: PreloadDevice? = nil) throws {
      scratch = try Scratch()
      let film = scratch.path("in.mkv")
      if device == nil { try Self.make(film) }
      let output = Pipe()
      try Data().write(to: URL(fileURLWithPath: scratch.path("messages")))
      process = try Command.start(
        ["serve", device == nil ? film : PreloadDevice.path] + arguments, in: scratch.folder,
        environment: device?.environment ?? [:], output: output,
        messages: try #require(FileHandle(forWritingAtPath: scratch.path("messages"))))
      limit = TimeLimit(process)
      var line = Data()
      while line.last != UInt8(ascii: "\n") {
        let byte = try #require(try output.fileHandleForReading.read(upToCount: 1))
        line += byte
      }
      url = String(decoding: line.dropLast(), as: UTF8.self)
    }

    private static func make(_ film: String) throws {
      try Tool.ffmpeg.run([
        "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25", "-frames:v", "1000", "-pix_fmt", "yuv420p", "-c:v",
        "libx264", "-preset", "ultrafast", film,
      ])
    }

    deinit { limit.end() }

    /// The process that has the network.
    func server() throws -> pid_t {
      let own = process.processIdentifier
      let children = try String(contentsOfFile: "/proc/\(own)/task/\(own)/children", encoding: .utf8)
      return try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
    }

    func end(_ signal: Int32? = nil) -> Int32 {
      if let signal { kill(process.processIdentifier, signal) }
      process.waitUntilExit()
      return process.terminationStatus
    }

    var messages: String { (try? String(contentsOfFile: scratch.path("messages"), encoding: .utf8)) ?? "" }

    /// Whether a process has gone within some seconds.
    static func isGone(_ process: pid_t) -> Bool {
      for _ in 0..<2400 {
        if kill(process, 0) != 0 { return true }
        usleep(50_000)
      }
      return false
    }
  }

  @Test func oneURLIsPrintedAndASignalEndsIt() throws {
    let running = try Running()
    #expect(running.url.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//) != nil, "\(running.url)")
    let server = try running.server()
    #expect(running.end(SIGTERM) == 143)
    #expect(Running.isGone(server))
    #expect(running.messages.contains("0 viewers"), "\(running.messages)")
  }

  /// The server has nothing of what it was started with, and no rights to get anything.
  @Test func theServerIsConfined() throws {
    let running = try Running(["--token", "token"])
    let folder = "/proc/\(try running.server())"
    let links = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")
    }
    #expect(links.count >= 4 && links.allSatisfy { !$0.hasPrefix("/") || $0 == "/dev/null" }, "\(links)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/cwd") == "/")
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/environ")).isEmpty)
    let tasks = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")
    #expect(tasks.count > 2)
    for task in tasks {
      let status = try String(contentsOfFile: "\(folder)/task/\(task)/status", encoding: .utf8).split(separator: "\n")
      for line in ["CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"] {
        #expect(status.contains { $0 == line }, "\(task): \(line)")
      }
    }
    // It serves, and the token stays.
    try Tool.ffmpeg.run(["-i", "\(running.url)api/v1/stream", "-t", "0.2", "-f", "null", "-"])
    let token = try String(contentsOfFile: running.scratch.path("token"), encoding: .utf8).dropLast()
    #expect(running.url.hasSuffix("/\(token)/"))
    #expect(running.end(SIGTERM) == 143)
  }

  /// Whatever happens to the program, its server does not stay.
  @Test func aServerDoesNotOutliveIt() throws {
    let running = try Running()
    let server = try running.server()
    #expect(running.end(SIGKILL) == SIGKILL)
    #expect(Running.isGone(server))
  }

  @Test func withoutItsServerThereIsNothingToSee() throws {
    let running = try Running()
    kill(try running.server(), SIGKILL)
    #expect(running.end() == 1)
    #expect(running.messages.contains("The server has ended by itself."), "\(running.messages)")
  }

  /// What is recorded is not lost with the server.
  @Test func aRecordingGoesOnWithoutTheServer() throws {
    let running = try Running(["-o", "take.mkv", "-c:v", "ffv1"])
    kill(try running.server(), SIGKILL)
    let words = "other devices no longer see anything"
    for _ in 0..<2400 where !running.messages.contains(words) { usleep(50_000) }
    #expect(running.messages.contains(words), "\(running.messages)")
    #expect(running.process.isRunning)
    usleep(500_000)
    #expect(running.end(SIGINT) == 130)
    let count = try Probe(running.scratch.path("take.mkv"), ["-count_packets", "-show_streams"]).streams?.first
    #expect(count?.codec_name == "ffv1")
  }

  /// Streams end and start again at the new size; the recording keeps its own.
  @Test func aSignalOfAnotherSizeEndsNothingElse() throws {
    let device = try PreloadDevice("P010:320x180@30", script: "size@60=640x480", ["TIMINGS": "1"])
    let running = try Running(["-o", "take.mkv", "-c:v", "ffv1"], device: device)
    let viewer = ["-i", "\(running.url)api/v1/stream", "-c", "copy", "-f", "mp4"]
    // It ends with the stream.
    try Tool.ffmpeg.run(viewer + [running.scratch.path("first.mp4")])
    try Tool.ffmpeg.run(
      viewer.dropLast(4) + ["-t", "0.5", "-c", "copy", "-f", "mp4", running.scratch.path("then.mp4")])
    #expect(running.end(SIGTERM) == 143)
    for (name, height) in [("first.mp4", 180), ("then.mp4", 480), ("take.mkv", 180)] {
      let video = try #require(Probe(running.scratch.path(name), ["-show_streams"]).streams?.first)
      #expect(video.height == height, "\(name)")
    }
  }

  @Test func wrongUsageIsRefused() throws {
    let scratch = try Scratch()
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("media/hdr10-sample.mp4").path
    for (arguments, words) in [
      (["--port", "99999"], "--port takes 0 to 65535"), (["--key", "k.pem"], "--certificate and --key"),
      (["--max-viewers", "0"], "--max-viewers takes 1 to 100"), (["--listen", "203.0.113.1"], "203.0.113.1"),
    ] {
      let result = try Command.program(["serve", sample] + arguments, in: scratch.folder)
      #expect(result.status == (arguments[0] == "--listen" ? 1 : 2) && result.output.isEmpty)
      #expect(result.messages.contains(words), "\(result.messages)")
    }
  }
}
