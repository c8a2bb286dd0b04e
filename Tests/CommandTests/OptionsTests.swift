import Foundation
import Sessions
import TestSupport
import Testing

import headroom

/// The options of tables, as the parser knows them.
@Suite struct OptionsTests {
  private struct Help: Decodable {
    struct Command: Decodable { let arguments: [Argument]? }
    struct Argument: Decodable {
      struct Name: Decodable {
        let kind: String
        let name: String
      }
      let kind: String
      let names: [Name]?
    }
    let command: Command
  }

  /// What is not a part of a transcode's request.
  private static let others: Set = [
    "--suffix", "--jobs", "--skip-existing", "--include-sdr", "--preset-file", "--dry-run", "--json", "-q", "--quiet",
    "-v",
    "--verbose", "--progress", "-h", "--help", "--version", "--experimental-dump-help",
  ]

  /// The parser has the options of the table and no others, under all of their names.
  @Test func parserHasTheTable() throws {
    let text = try Command.run(["transcode", "--experimental-dump-help"]).output
    let arguments = try JSONDecoder().decode(Help.self, from: Data(text.utf8)).command.arguments ?? []
    let parsed = Set(
      arguments.filter { $0.kind != "positional" }.flatMap { argument in
        (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
      })
    let known = Set(TranscodeOptions.options.flatMap(\.parameter.flags)).union(["--no-dither"])
    #expect(parsed.count > 80)
    #expect(parsed.subtracting(Self.others) == known)
  }

  private static let input = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("media/hdr10-sample.mp4").path

  /// The request of a plan, as text.
  private func plan(_ words: String...) throws -> String {
    let result = try Command.run(
      ["transcode", Self.input, "-o", "/nowhere/a.mkv", "--dry-run", "--json", "-q"] + words)
    #expect(result.status == 0, "\(result.messages)")
    return result.output
  }

  @Test func wordsBecomeTheRequest() throws {
    let plan = try plan(
      "--to", "hdr10", "--peak=600", "--exposure", "-1.5", "--no-dither", "-map", "0:v", "--map", "-0:d", "--filter",
      "highlight", "-c:v", "libx265", "--scale", "-1x720", "--crf", "20", "--crf", "18", "--stats", "-")
    for part in [
      #""chosenKind" : "hdr10""#, #""peak" : 600"#, #""exposure" : -1.5"#, #""dithers" : false"#, #""specifier" : "d""#,
      #""encoder" : "libx265""#, #""crf" : 18"#, #""statistics" : "-""#,
    ] { #expect(plan.contains(part), "\(part)") }
  }

  /// The last one counts, as with ffmpeg.
  @Test func repeatedOptions() throws {
    #expect(try plan("--no-dither", "--dither").contains(#""dithers" : true"#))
  }

  @Test(arguments: [
    (["--peak", "abc"], "The value 'abc' is invalid for '--peak <nits>': it takes a number."),
    (["--peak", "0.5"], "--peak takes 1 to 10000 cd/m², not 0.5."),
    (["--to", "sdx"], "it takes one of sdr, hdr10, hlg, display"),
    (["--hdr-threshold", "2"], "--hdr-threshold is for --display: add it, or omit --hdr-threshold."),
    (["--headroom-ramp", "2"], "--headroom-ramp is for --follow"),
    (["--measured", "a", "--peak-detect"], "--measured cannot be combined with --peak-detect: choose one."),
    (["--filter", "none-such"], "none-such"),
  ])
  func mistakes(_ words: [String], _ text: String) throws {
    let result = try Command.run(["transcode", "missing.mkv", "-o", "a.mkv"] + words)
    #expect(result.status == 2 && result.messages.contains(text), "\(result.messages)")
  }

  /// Former spellings work, and what they are now is said.
  @Test(arguments: [
    (["lut", "-o", "-", "--size", "1"], "--size of lut is --nodes now", "--nodes takes 2 to 129"),
    (["pattern", "ramp", "-o", "a.png", "--scale=9"], "--scale of pattern is --point-scale now", "'9' is invalid"),
    (["pattern", "ramp", "-o", "a.png", "--scales", "0,1"], "--scales of pattern is --point-scale now", "'0,1'"),
    (
      ["transcode", "a.mkv", "-o", "b.mkv", "--all"], "--all of transcode is --include-sdr now", "--include-sdr is for"
    ),
    (
      ["constant-color", "--ambient", "a.png", "-o", "b.png"], "--ambient of constant-color is --without-flash now",
      "--flash"
    ),
    (["preview", "missing.mkv", "--output", "null"], "--output of preview is --screen now", "missing.mkv"),
    (["status", "/nowhere", "--follow"], "--follow of status is --watch now", "/nowhere"),
  ])
  func formerSpellings(_ words: [String], _ warning: String, _ part: String) throws {
    let messages = try Command.run(words).messages
    #expect(messages.contains(warning) && messages.contains(part), "\(messages)")
  }

  @Test func todaysSpellingsAreNotRemarkedUpon() throws {
    let messages = try Command.run(["preview", "missing.mkv", "--output", "take.mkv", "--dry-run"]).messages
    #expect(messages.contains("missing.mkv") && !messages.contains("warning"), "\(messages)")
  }
}
