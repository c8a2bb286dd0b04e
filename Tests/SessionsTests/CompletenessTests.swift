import Foundation
import Testing

/// Every message is expected by some test of its modules, or listed here with the reason why not.
@Suite struct CompletenessTests {
  /// What no request can bring about in this process.
  private static let unprovoked: [(name: String, reason: String)] =
    [
      ("film-process-not-started", "`LibraryRunTests.processesThatFail` sees its text."),
      ("film-process-ended", "`LibraryRunTests.processesThatFail` sees its text."),
      ("folder-not-created", "`LibraryRunTests.foldersAreMadeWhenTheyAreNeeded` sees its text."),
      ("impossible-now", "`PreviewTests.whatCannotBeIsSaid` sees its text on the screen."),
      ("display-decides", "`PreviewTests.whatCannotBeIsSaid` sees its text on the screen."),
      ("snapshot-failed", "`PreviewTests` see its text on the screen."),
      ("no-audio-encoder", "It needs a container that holds audio and has no usual encoder: FFmpeg has none."),
      ("folder-not-readable", "It needs a folder that the tests may not read, and they may be root."),
      ("pattern-labels-omitted", "The font is looked for once in a process, where its environment says."),
      (
        "unsupported-primaries",
        "Of all codes only 'unspecified' has no primaries, and others are assumed in its place before."
      ),
      ("pattern-format-unsupported", "Every format of this build holds patterns of each kind in some space."),
      ("inexact-seeking", "It needs a container that seeks to another frame."),
      ("pieces-with-tag-change", "It needs a film whose tags change while its dynamic metadata is used."),
      ("all-in-queue", "It needs Slurm: `tools/check-farm` brings it about."),
      ("no-second-recording", "It needs standard output, which is that of the tests."),
      ("jobs-submitted", "It needs Slurm: `tools/check-farm` brings it about."),
      ("film-cancelled", "It is noticed with the next sign of life: `tools/check-farm` waits for that."),
      ("piece-failed", "It needs an encoder or a decoder that fails."),
      ("piece-dropped", "It needs a signal in the middle of a piece: `tools/check-farm` sends some."),
      ("piece-faulty", "It needs an encoder or a decoder that fails."),
      ("server-ended", "It needs a server that is killed: `ServeCommandTests` of the command line do."),
      ("preview-without-server", "It needs a server that is killed: `ServeCommandTests` of the command line do."),
      ("stream-encoder-slow", "It needs an encoder that is slower than the machine."),
      ("stream-not-encoded", "It needs an encoder that fails."),
    ]
    + devices.map {
      ($0, "It needs a device: `PreviewDeviceTests` of the command line, or `RenderAdaptationTests`, bring it about.")
    }

  private static let devices = [
    "device-mode", "no-signal", "signal-found", "device-restarted", "decoder-restarted", "device-unplugged",
    "device-reconnected", "device-rate", "rendering-halved", "rendering-restored", "recording-lacks-frames",
    "recording-slow", "recording-scaled", "no-screen", "recording-kept", "light-recorded", "fastest-preset",
    "flash-driven", "waiting-for-lamp", "device-adapts", "pair-exposure", "exposure-clips", "exposure-too-dark",
    "flash-weak", "device-pictures-not-processed", "device-has-no-start", "not-a-capture-device",
    "device-delivers-nothing", "frames-lost",
  ]

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// The modules whose messages have codes.
  private static let modules = ["BatchTranscode", "ChunkedTranscode", "ConstantColorRuns", "LivePreview", "Sessions"]

  private static func text(of folders: [String], without excluded: String = "") throws -> String {
    try folders.map { root.appendingPathComponent($0) }.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        .filter { $0.hasSuffix(".swift") && $0 != excluded }
        .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    }.joined(separator: "\n")
  }

  /// The codes in the sources: the first argument of a message, a refusal, a note or a warning.
  private static func codes() throws -> [String] {
    let code =
      #/(?:Message|FilmObstacle|invalid|failed|temporary|note|warn|say|report|claim|remark|interrupted\(by: [^,]+,)\(?\s*"([a-z0-9]+(?:-[a-z0-9]+)+)",/#
    return try text(of: modules.map { "Sources/\($0)" }).matches(of: code).map { String($0.output.1) }
  }

  @Test func everyMessageIsExpectedByATest() throws {
    let codes = try Set(Self.codes())
    #expect(codes.count > 250, "\(codes.count)")
    let tests = try Self.text(of: Self.modules.map { "Tests/\($0)Tests" }, without: "CompletenessTests.swift")
    let listed = Set(Self.unprovoked.map(\.name))
    for code in codes.sorted() {
      #expect(tests.contains("\"\(code)\"") != listed.contains(code), "\(code) is in no test, or in one and listed")
    }
    for (name, reason) in Self.unprovoked { #expect(codes.contains(name) && reason.hasSuffix("."), "\(name)") }
  }
}
