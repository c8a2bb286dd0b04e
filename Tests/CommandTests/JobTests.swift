import Foundation
import TestSupport
import Testing

/// Runs that end before their input: no output looks finished unless it is complete.
@Suite(.serialized) struct JobTests {
  static let encoder = ["-c:v", "libx264", "--preset", "ultrafast", "--encoder-options", "threads=1"]

  private func framehash(_ path: String) throws -> [Substring] {
    let text = try Tool.ffmpeg.run(["-i", path, "-map", "0:v", "-f", "framemd5", "-"])
    return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last }
  }

  /// Twelve seconds: long enough to be hit in the middle.
  private func source(_ scratch: Scratch) throws -> String {
    try scratch.clip(
      "in.mkv", size: "640x360", frames: 300,
      ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-color_trc", "smpte2084"])
  }

  /// The output of each interrupted run is playable, and its frames are the first ones of the whole run's.
  @Test func interruptedRunsAreFinished() throws {
    let scratch = try Scratch()
    let input = try source(scratch)
    let whole = scratch.path("whole.mkv")
    #expect(try Command.run(["transcode", input, "-o", whole] + Self.encoder).status == 0)
    let expected = try framehash(whole)
    #expect(expected.count == 300)
    var interrupted = 0
    for round in 0..<10 {
      let output = scratch.path("part\(round).\(round.isMultiple(of: 2) ? "mkv" : "mp4")")
      let process = try Command.start(
        ["transcode", input, "-o", output] + Self.encoder + (round % 4 > 1 ? ["--keep-partial-name"] : []),
        output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
      // From before the first frame to about the last.
      if round % 3 != 0 { scratch.waitForPart(of: process) }
      Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.6))
      process.interrupt()
      process.waitUntilExit()
      if process.terminationReason == .uncaughtSignal {
        // Before the run began there is nothing to finish.
        #expect(!FileManager.default.fileExists(atPath: output))
        continue
      }
      // The last frame may have been written by then.
      #expect([0, 130].contains(process.terminationStatus))
      if process.terminationStatus == 130 { interrupted += 1 }
      // What is not whole does not look so, unless that is asked for.
      let partial = output.replacing("part\(round).", with: "part\(round).partial.")
      let isNamed = round % 4 > 1
      guard let file = [output, partial].first(where: FileManager.default.fileExists) else { continue }
      let made = try framehash(file)
      let mayLookWhole = isNamed || made.count == expected.count
      #expect(file == output ? mayLookWhole : !isNamed && process.terminationStatus == 130)
      #expect(!made.isEmpty && made == Array(expected.prefix(made.count)), "round \(round): \(made.count) frames")
    }
    #expect(interrupted > 0)
    #expect(scratch.contents.allSatisfy { !$0.hasSuffix(".part") })
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func otherSignals(_ signal: Int32) throws {
    let scratch = try Scratch()
    let input = try source(scratch)
    let output = scratch.path("out.mp4")
    let process = try Command.start(
      ["transcode", input, "-o", output] + Self.encoder, output: FileHandle.nullDevice,
      messages: FileHandle.nullDevice)
    scratch.waitForPart(of: process, bytes: 1 << 17)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + signal)
    #expect(try !framehash(scratch.path("out.partial.mp4")).isEmpty)
    #expect(!scratch.contents.contains("out.mp4"))
  }

  @Test func killedRunsLeaveNothingUnderTheName() throws {
    let scratch = try Scratch()
    let input = try source(scratch)
    let process = try Command.start(
      ["transcode", input, "-o", scratch.path("out.mp4")] + Self.encoder, output: FileHandle.nullDevice,
      messages: FileHandle.nullDevice)
    scratch.waitForPart(of: process)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(!scratch.contents.contains("out.mp4"))
  }

  /// Interruption does not wait for a pipe without data.
  @Test func interruptedWhileTheInputWaits() throws {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = Command.url
    process.arguments = ["transcode", "-", "-o", scratch.path("out.mkv"), "--input-transfer", "pq"] + Self.encoder
    let input = Pipe()
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("YUV4MPEG2 W64 H64 F25:1 Ip C420p10\n".utf8))
    for _ in 0..<60 {
      try input.fileHandleForWriting.write(contentsOf: Data("FRAME\n".utf8) + Data(count: 64 * 64 * 3))
    }
    scratch.waitForPart(of: process)
    Thread.sleep(forTimeInterval: 0.3)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(try framehash(scratch.path("out.partial.mkv")).count >= 30)
  }

  @Test func aFullDiskIsNamed() throws {
    let scratch = try Scratch()
    let input = try source(scratch)
    let result = try Command.run(["transcode", input, "-o", "/dev/full", "-f", "matroska"] + Self.encoder)
    #expect(result.status == 75)
    #expect(result.messages.contains("No space left on device"))
  }

  /// A file system of 20 MiB, where the test may mount one.
  @Test func aFullFileSystemKeepsNothing() throws {
    let scratch = try Scratch()
    let folder = scratch.path("small")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard (try? Command.shell("mount -t tmpfs -o size=20m tmpfs '\(folder)' 2>/dev/null")) == 0 else {
      noteSkip("a full file system, as none can be mounted")
      return
    }
    defer { _ = try? Command.shell("umount '\(folder)' 2>/dev/null") }
    let input = try source(scratch)
    let result = try Command.run(
      ["transcode", input, "-o", folder + "/out.nut", "-c:v", "rawvideo", "--pixel-format", "yuv444p10le"])
    #expect(result.status == 75, "\(result.messages)")
    #expect(result.messages.contains("No space left on device"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func aClosedPipeIsNamed() throws {
    let scratch = try Scratch()
    let input = try source(scratch)
    let messages = scratch.path("messages")
    let status = try Command.shell(
      "{ '\(Command.url.path)' transcode '\(input)' -o - 2>'\(messages)'; echo $? >'\(messages).rc'; } | head -c 100 >/dev/null; sleep 0; true"
    )
    #expect(status == 0)
    #expect(try String(contentsOfFile: messages + ".rc", encoding: .utf8) == "1\n")
    #expect(try String(contentsOfFile: messages, encoding: .utf8).contains("Broken pipe"))
  }

  /// A truncated file is not a finished film, unless requested.
  @Test(arguments: ["mkv", "mp4"])
  func aTruncatedInputIsAnError(_ container: String) throws {
    let scratch = try Scratch()
    let input = try scratch.clip(
      "in.\(container)", frames: 200, ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"])
    let data = try Data(contentsOf: URL(fileURLWithPath: input))
    let cut = scratch.path("cut.\(container)")
    try data.prefix(data.count * 6 / 10).write(to: URL(fileURLWithPath: cut))
    let output = scratch.path("out.mp4")
    let refused = try Command.run(["transcode", cut, "-o", output] + Self.encoder)
    #expect(refused.status == 1)
    #expect(refused.messages.contains("is truncated"))
    #expect(!scratch.contents.contains("out.mp4"))
    let kept = try Command.run(["transcode", cut, "-o", output, "--keep-partial"] + Self.encoder)
    #expect(kept.status == 0, "\(kept.messages)")
    #expect(kept.messages.contains("is truncated"))
    #expect((50..<200).contains(try framehash(output).count))
  }

  @Test(.enabled(if: !Clip.damaged.isEmpty, "no clips")) func damageBeyondTheLimitStops() throws {
    let name = try #require(Clip.damaged.first)
    let clip = Clip.folder.appendingPathComponent(name)
    let scratch = try Scratch()
    let output = scratch.path("out.mp4")
    let stopped = try Command.run(["transcode", clip.path, "-o", output, "--max-errors", "0"] + Self.encoder)
    #expect(stopped.status == 1)
    #expect(stopped.messages.contains("--max-errors"))
    #expect(!scratch.contents.contains("out.mp4"))
    let survived = try Command.run(["transcode", clip.path, "-o", output] + Self.encoder)
    #expect(survived.status == 0)
    #expect(survived.messages.contains("is damaged"))
  }
}
