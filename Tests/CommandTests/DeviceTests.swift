import Foundation
import TestSupport
import Testing

/// Outputs that are not files: a full device is worth a retry, and a null device works like any other.
@Suite struct DeviceTests {
  struct Case: Sendable, CustomStringConvertible {
    /// A line of the shell with `$h` the program and `$d` the device.
    let line: String
    var description: String { line }
  }

  static let lines = [
    "$h transcode in.mkv -o $d -f matroska -c:v ffv1", "$h transcode in.mkv -o $d -f mpegts --preset ultrafast",
    "$h transcode in.mkv -o $d -f nut -c:v ffv1", "$h transcode in.mkv -o $d -f yuv4mpegpipe",
    "$h transcode in.mkv -o $d -f framemd5", "$h transcode in.mkv -f null --report $d",
    "$h transcode in.mkv -f null --stats $d", "$h transcode in.mkv -f framemd5 -o - >$d",
    "$h transcode in.mkv -o - >$d",
    "$h transcode in.mkv -f null --stats - >$d", "$h probe in.mkv >$d", "$h probe in.mkv --json >$d",
    "$h measure in.mkv -o $d", "$h measure in.mkv >$d", "$h dump in.mkv -f png -o $d --frames 0-0",
    "$h dump in.mkv -f exr -o - --frames 0-0 >$d", "$h dump in.mkv -f y4m -o $d", "$h dump in.mkv -f y4m -o - >$d",
    "$h lut --input-transfer pq -o - >$d", "$h pattern steps --size 192x108 -f nut -c:v ffv1 -o $d",
    "$h pattern --list >$d", "$h pattern steps --describe >$d", "$h pattern steps --describe --json >$d",
    "$h scopes in.mkv -f nut -c:v ffv1 -o $d", "$h scopes in.mkv -f null --data $d",
    "$h scopes in.mkv -f null --data - >$d", "$h verify in.mkv --pattern steps >$d",
    "$h verify in.mkv --pattern steps --json >$d", "$h doctor >$d", "$h completions bash >$d", "$h --help >$d",
    "$h --version >$d",
  ].map(Case.init)

  private func status(_ test: Case, _ device: String) throws -> Int32 {
    let scratch = try Scratch()
    _ = try scratch.clip("in.mkv", frames: 3, ["-c:v", "ffv1"])
    let status = try Command.shell(
      "cd '\(scratch.folder.path)'; h='\(Command.url.path)'; d=\(device); \(test.line) 2>messages")
    #expect(Set(scratch.contents) == ["in.mkv", "messages"])
    return status
  }

  @Test(arguments: lines)
  func aFullDevice(_ test: Case) throws {
    #expect(try status(test, "/dev/full") == 75)
  }

  /// The short run has devices that are named, not those behind standard output.
  @Test(arguments: LongTests.areWanted ? lines : lines.filter { !$0.line.contains(">") })
  func aDeviceThatTakesEverything(_ test: Case) throws {
    let status = try status(test, "/dev/null")
    // What bars show is no pattern, and a machine may lack something.
    #expect(status == (test.line.contains("verify") ? 3 : 0) || test.line.contains("doctor") && status == 1)
  }
}
