import Foundation
import TestSupport
import Testing

/// `--dry-run --json`, and `run` in another process.
@Suite struct PlanCommandTests {
  private static let hdr10 = FileManager.default.currentDirectoryPath + "/media/hdr10-sample.mp4"
  private static let hlg = FileManager.default.currentDirectoryPath + "/media/hlg-sample.mp4"
  private static let verbs: [[String]] = [
    ["transcode", hdr10, "-c:v", "ffv1", "--start", "0.5", "--duration", "0.3", "-o", "out.nut"],
    ["transcode", hlg, "--to", "hdr10", "--peak", "600", "--frames", "0-3", "-c:v", "ffv1", "-o", "out.nut"],
    [
      "transcode", hdr10, "--filter", "highlight=gamut=p3", "--stats", "stats.jsonl", "--frames", "0-3", "-o",
      "out.nut",
    ],
    ["dump", hdr10, "--frames", "0-2", "--space", "itur_2100_PQ", "-o", "f%02d.png"],
    ["dump", hlg, "--contact", "2x2", "-o", "sheet.png"],
    ["scopes", hdr10, "--frames", "0-2", "--data", "data.jsonl", "-o", "scopes.nut"],
    ["pattern", "ramp", "--to", "hdr10", "--size", "320x180", "--duration", "0.2", "-o", "ramp.nut", "-c:v", "ffv1"],
  ]

  /// Names and bytes of what a command line leaves in an empty folder.
  private func files(_ arguments: [String], in scratch: Scratch) throws -> [String: Data] {
    let result = try Command.program(arguments, in: scratch.folder)
    #expect(result.status == 0, "\(result.messages)")
    var files: [String: Data] = [:]
    for name in scratch.contents where name != "plan.json" {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
    }
    return files
  }

  @Test(arguments: verbs) func runsElsewhere(_ arguments: [String]) throws {
    let expected = try files(arguments + ["-q"], in: try Scratch())
    let scratch = try Scratch()
    let plan = try Command.program(arguments + ["--dry-run", "--json", "-q"], in: scratch.folder)
    #expect(plan.status == 0 && scratch.contents.isEmpty, "\(plan.messages)")
    try Data(plan.output.utf8).write(to: URL(fileURLWithPath: scratch.path("plan.json")))
    let made = try files(["run", "plan.json", "-q"], in: scratch)
    let areSame = made == expected
    #expect(areSame, "\(made.mapValues(\.count)) and \(expected.mapValues(\.count))")
    // What is there is not replaced.
    #expect(try Command.program(["run", "plan.json", "-q"], in: scratch.folder).status == 1)
  }

  @Test func refusesWhatWasChanged() throws {
    let scratch = try Scratch()
    let input = scratch.path("in.mp4")
    try FileManager.default.copyItem(atPath: Self.hdr10, toPath: input)
    let plan = try Command.program(["transcode", "in.mp4", "-o", "out.mkv", "--dry-run", "--json"], in: scratch.folder)
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path("plan.json"))) }
    try write(plan.output.replacingOccurrences(of: "out.mkv", with: "other.mkv"))
    let edited = try Command.program(["run", "plan.json"], in: scratch.folder)
    #expect(edited.status == 2 && edited.messages.contains("was changed"), "\(edited.messages)")
    try write(plan.output)
    // Another picture, and the same film but shorter.
    for other in [["-f", "lavfi", "-i", "testsrc2", "-frames:v", "5"], ["-i", Self.hdr10, "-c", "copy", "-t", "1"]] {
      try Tool.ffmpeg.run(other + ["-y", input])
      let changed = try Command.program(["run", "plan.json"], in: scratch.folder)
      #expect(changed.status == 1 && changed.messages.contains("not the input"), "\(changed.messages)")
    }
    #expect(Set(scratch.contents) == ["plan.json", "in.mp4"])
  }
}
