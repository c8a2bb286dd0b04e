import Foundation
import TestSupport
import Testing

/// `doctor`, `completions`.
@Suite struct MachineTests {
  @Test func doctorFindsWhatTheTestsUse() throws {
    let result = try Command.run(["doctor", "--json"])
    #expect(result.status == 0)
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: [[String: String]]]
    let findings = try #require(object?["findings"])
    func state(_ name: String) -> String? { findings.first { $0["name"] == name }?["state"] }
    for name in ["processor", "kernels", "libraries", "hevc", "libx264", "libx265", "ffmpeg"] {
      #expect(state(name) == "found", "\(name)")
    }
    for finding in findings
    where finding["state"] != "found" && !["capture", "displays", "hardware encoders"].contains(finding["section"]) {
      #expect(finding["remedy"] != nil, "\(finding)")
    }
    #expect(try Command.run(["doctor"]).output.contains("libx265"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completions(_ shell: String) throws {
    let result = try Command.run(["completions", shell])
    #expect(result.status == 0)
    for word in ["transcode", "peak-detect", "master-display"] { #expect(result.output.contains(word)) }
    let scratch = try Scratch()
    let path = scratch.path("script")
    try Data(result.output.utf8).write(to: URL(fileURLWithPath: path))
    // Of the shells one is everywhere.
    if shell == "bash" {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["bash", "-n", path]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    #expect(try Command.run(["completions", "csh"]).status == 2)
  }
}
