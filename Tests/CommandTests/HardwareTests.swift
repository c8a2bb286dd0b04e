import FFmpegIO
import Foundation
import TestSupport
import Testing

/// What users of hardware encoders are told on a machine without one.
@Suite struct HardwareTests {
  private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("media/hdr10-sample.mp4").path

  @Test(arguments: ["hevc_vaapi", "hevc_nvenc", "hevc_qsv"])
  func encodersThatCannotRun(_ name: String) throws {
    guard let encoder = HardwareEncoder(name), !encoder.missing().isEmpty else { return }
    let scratch = try Scratch()
    let output = scratch.path("a.mp4")
    let result = try Command.run([
      "transcode", Self.sample, "-o", output, "--to", "hdr10", "-c:v", name, "--duration", "0.2",
    ])
    #expect(result.status == 1, "\(result.messages)")
    #expect(result.messages.contains("The encoder '\(name)' cannot run on this machine: no "), "\(result.messages)")
    #expect(result.messages.contains("headroom doctor"))
    #expect(result.messages.contains("only the container has them") == (name != "hevc_vaapi"), "\(result.messages)")
    #expect(!scratch.contents.contains("a.mp4"))
  }

  @Test func devices() throws {
    let scratch = try Scratch()
    let node = scratch.path("renderD200")
    let options = ["transcode", Self.sample, "-o", scratch.path("a.mkv"), "--hw-device", node]
    let missing = try Command.run(options + ["-c:v", "hevc_vaapi"])
    #expect(missing.status == 1 && missing.messages.contains("no device \(node)"), "\(missing.messages)")
    let wrong = try Command.run(options + ["-c:v", "libx265"])
    #expect(
      wrong.status == 2 && wrong.messages.contains("--hw-device is only for hardware encoders"), "\(wrong.messages)")
  }

  @Test func doctor() throws {
    let result = try Command.run(["doctor"])
    let lines = result.output.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "hardware encoders"))
    let names = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }
    for encoder in HardwareEncoder.all {
      let line = try #require(names.first { $0.contains(encoder.name + " ") })
      for lack in encoder.missing() { #expect(line.contains("\(lack)")) }
    }
  }
}
