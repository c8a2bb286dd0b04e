import Foundation
import TestSupport
import Testing

/// Signals at any time, and system limits: an end with a message, without a crash or hang.
@Suite(.serialized) struct LimitTests {
  private static let endings: Set<Int32> = [0, 1, 2, 75]

  private func film(_ scratch: Scratch) throws -> String {
    try scratch.clip(
      "in.mkv", frames: 25,
      ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-color_trc", "smpte2084"])
  }

  /// Descriptors: none too few for a trap.
  @Test func filesThatMayBeOpen() throws {
    let scratch = try Scratch()
    let input = try film(scratch)
    for verb in ["probe '\(input)'", "transcode '\(input)' -o out.mkv -c:v libx264", "dump '\(input)' -o out.png"] {
      // With three and four the loader cannot open libraries.
      for limit in [5, 6, 7, 8, 12] {
        let status = try Command.shell(
          "cd '\(scratch.folder.path)'; rm -f out.*; exec >/dev/null 2>&1; ulimit -n \(limit); "
            + "exec timeout -s KILL 60 '\(Command.url.path)' \(verb)")
        #expect(Self.endings.contains(status), "\(verb) with \(limit) descriptors: \(status)")
      }
    }
  }

  /// Memory for hardly a thread: the run ends. FFmpeg's filters load OpenBLAS, whose threads wait for memory for ever.
  @Test(arguments: [400_000, 500_000, 600_000])
  func memoryThatMayBeUsed(_ kilobytes: Int) throws {
    let scratch = try Scratch()
    let input = try film(scratch)
    let verbs = [
      "transcode '\(input)' -o out.mkv -c:v libx264", "measure '\(input)'", "pattern ramp -o out.png",
      "dump '\(input)' -o out%d.exr",
    ]
    for verb in verbs {
      let status = try Command.shell(
        "cd '\(scratch.folder.path)'; rm -f out*; exec >/dev/null 2>&1; ulimit -v \(kilobytes); "
          + "export OPENBLAS_NUM_THREADS=1; exec timeout -s KILL 60 '\(Command.url.path)' \(verb)")
      #expect(Self.endings.contains(status), "\(verb): \(status)")
    }
  }

  /// A signal before there is anything to finish ends the program at once: here it waits for a pipe.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func whileTheInputIsOpened(_ signal: Int32) throws {
    let scratch = try Scratch()
    let pipe = scratch.path("pipe")
    unsafe mkfifo(pipe, 0o600)
    for verb in [["probe", pipe], ["measure", pipe], ["transcode", pipe, "-o", scratch.path("out.mkv")]] {
      let process = try Command.start(verb, output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
      let limit = TimeLimit(process, seconds: 60)
      defer { limit.end() }
      Thread.sleep(forTimeInterval: 0.3)
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationStatus == signal && process.terminationReason == .uncaughtSignal)
    }
  }

  /// The same signal to the process and to its group, as `timeout` and shells send it, is one.
  @Test func anEchoIsNoSecondSignal() throws {
    let scratch = try Scratch()
    let output = scratch.path("out.mkv")
    // Long enough for any machine.
    let process = try Command.start(
      ["pattern", "counter", "-o", output, "--size", "640x360", "--duration", "2000", "-c:v", "ffv1", "-q"],
      output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
    let limit = TimeLimit(process, seconds: 120)
    defer { limit.end() }
    scratch.waitForPart(of: process, bytes: 1 << 20)
    // By one shell: this process may be kept from running between two of them.
    _ = try Command.shell("kill -TERM \(process.processIdentifier); kill -TERM \(process.processIdentifier)")
    process.waitUntilExit()
    #expect(process.terminationStatus == 143)
    #expect(FileManager.default.fileExists(atPath: output))
  }

  /// A second signal stops at once, even if nobody reads the output.
  @Test func aSecondSignalStops() throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", size: "640x360", frames: 300, ["-c:v", "libx264", "-preset", "ultrafast"])
    let output = Pipe()
    let process = try Command.start(
      ["transcode", input, "-o", "-"], output: output, messages: FileHandle.nullDevice)
    let limit = TimeLimit(process, seconds: 60)
    defer { limit.end() }
    // Until nobody has read what fills the pipe.
    var waiting: Int32 = 0
    while process.isRunning, waiting < 60_000 {
      Thread.sleep(forTimeInterval: 0.05)
      _ = unsafe ioctl(output.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &waiting)
    }
    process.interrupt()
    Thread.sleep(forTimeInterval: 0.3)
    #expect(process.isRunning)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    withExtendedLifetime(output) {}
  }
}
