import ColorScience
import Foundation
import Frames
import ImageFiles
import FFmpegIO
import Media
import Sessions
import TestSupport
import Testing
import ToneMapping

import headroom

/// The command line that stands for a request is parsed to that request.
@Suite struct RequestArgumentsTests {
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

  /// What is no part of a request.
  private static let others: Set = [
    "--suffix", "--jobs", "--skip-existing", "--all",
    "--preset-file", "--dry-run", "--json", "-q", "--quiet", "-v", "--verbose", "--progress", "-h", "--help",
    "--version", "--experimental-dump-help",
  ]

  /// Every option of the parser has an entry, under all of its names.
  @Test func everyOptionHasAnEntry() throws {
    let text = try Command.run(["transcode", "--experimental-dump-help"]).output
    let arguments = try JSONDecoder().decode(Help.self, from: Data(text.utf8)).command.arguments ?? []
    let parsed = Set(
      arguments.filter { $0.kind != "positional" }.flatMap { argument in
        (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
      })
    let known = Set(RequestArguments.names.joined())
    #expect(parsed.count > 50 && known.count > 40)
    #expect(parsed.subtracting(known).subtracting(Self.others).isEmpty, "RequestArguments lacks options")
    #expect(known.subtracting(parsed).isEmpty, "RequestArguments has options that do not exist")
  }

  /// Arguments that set every option at least once.
  private static let lines: [[String]] = [
    [], ["--output", "b.mkv", "--overwrite", "--report", "r.json", "--stats", "s.jsonl"],
    [
      "-f", "mov", "-c:v", "libx265", "--preset", "slow", "--crf", "17.5", "--encoder-options", "aq-mode=2:a=b=c",
      "--pixel-format", "yuv422p10le", "--scale", "1280x-2",
    ],
    ["--encoder-options", "", "--scale", "-1x720", "--bake-rotation", "--copy-timestamps"],
    ["-c:v", "hevc_vaapi", "--hw-device", "/dev/dri/renderD129"],
    ["-c:v", "libx264", "--bitrate", "4500k", "--max-bitrate", "6M", "--buffer-size", "12M", "--two-pass"],
    ["-x264-params", "keyint=50:zones=0,10,q=20"], ["-x265-params", "aq-mode=2:no-sao"], ["-svtav1-params", "tune=0"],
    ["--muxer-options", #"movflags=+faststart:metadata=a\:b\\c"#, "--keep-partial-name"],
    ["--deinterlace", "field", "--crop", "1920:800:0:140"], ["--crop", "1920:800"],
    ["--crop", "auto", "--crop-limit", "0.1"],
    ["-c:a", "libopus", "--audio-bitrate", "192k", "--downmix", "stereo"], ["--audio-fallback", "ac3"],
    ["--burn-subtitles", "s:0", "--subtitle-palette", "bt2020-pq"],
    ["--start", "1:02.5", "--duration", "0.04"], ["--frames", "3-"], ["--frames", "3-7"], ["--frames", "4"],
    [
      "--map", "0:v:0", "-map", "-0:d", "--map", "0:s:m:language:eng?", "--map", "0", "-c:a", "aac", "-c:s", "mov_text",
    ],
    ["--to", "hdr10", "--tone-map", "bt2390", "--peak", "600.25", "--sdr-white", "150", "--reference-white", "200"],
    ["--to", "hlg", "--headroom", "4", "--exposure", "-1.5", "--gamut", "clip", "--hlg-ootf", "display"],
    ["--tone-map", "st2094-40", "--highlight-desaturation", "0.25", "--black", "0.05", "--ambient", "100"],
    ["--ambient", "64 cd/m2", "--to", "sdr"], ["--to", "hdr10", "--inverse-tone-map", "--peak", "1000"],
    ["--display", "edr-5", "--hdr-threshold", "2"],
    [
      "--dynamic-metadata", "ignore", "--no-dither", "--threads", "3", "--kernels", "baseline", "--filter", "highlight",
      "--filter", "highlight=gamut=p3:tint=orange",
    ],
    ["--measured", "m.json", "--master-display", "copy", "--max-cll", "copy", "--to", "hdr10"],
    [
      "--peak-detect", "--peak-percentile", "99.9", "--master-display",
      "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50)",
      "--max-cll", "900,300", "--to", "hdr10",
    ], ["--max-cll", "measure", "--to", "hdr10", "--hdr10plus", "copy"],
    [
      "--input-format", "matroska", "--allow-protocols", "https,http", "--input-matrix", "ycgco", "--input-range",
      "full", "--chroma-site", "topleft", "--max-errors", "7", "--keep-partial", "--gain-map", "2.5", "--background",
      "#10F0A0", "--frame-rate", "23.976", "--input-start-number", "12", "--strict",
    ], ["--background", "none", "--input-transfer", "sdr", "--input-primaries", "p3"],
    ["--input-transfer", "hlg", "--edr-metadata", "hlg"], ["--edr-metadata", "none", "--input-transfer", "pq"],
    ["--edr-metadata", "hdr10:min=0.01:max=600:scale=203"],
  ]

  private static func request(_ words: [String]) throws -> TranscodeRequest {
    let output = words.contains("--output") ? [] : ["-o", "a.mkv"]
    return try RequestArguments.request(parsing: words + output, input: "in.mkv")
  }

  @Test(arguments: lines.indices) func requestsComeBack(_ index: Int) throws {
    let request = try Self.request(Self.lines[index])
    let words = RequestArguments.words(for: request)
    #expect(try RequestArguments.request(parsing: words, input: "in.mkv") == request, "\(words)")
    // What is as by default is not stated.
    if index == 0 { #expect(words == ["-o", "a.mkv"]) }
  }

  /// The lines above have every option, under one of its names, and a display that is followed beside them.
  @Test func everyOptionIsTried() throws {
    let tried = Set(Self.lines.joined()).union(["--follow", "--headroom-ramp"])
    let missing = RequestArguments.names.filter { tried.isDisjoint(with: $0) }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test func displaysThatAreFollowed() throws {
    let scratch = try Scratch()
    let path = scratch.path("d.json")
    try Data(#"{"name": "d", "peak": 800, "sdrWhite": 150, "primaries": "p3-d65"}"#.utf8).write(
      to: URL(fileURLWithPath: path))
    for words in [["--display", path, "--follow"], ["--display", path, "--follow", "--headroom-ramp", "2.5"]] {
      let request = try Self.request(words)
      #expect(request.following != nil)
      #expect(try RequestArguments.request(parsing: RequestArguments.words(for: request), input: "in.mkv") == request)
    }
  }
}
