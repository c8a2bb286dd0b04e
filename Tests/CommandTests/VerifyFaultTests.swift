import Foundation
import TestSupport
import Testing

/// Faults that ffmpeg puts into patterns: each is named, and ends with 3.
@Suite(.serialized) struct VerifyFaultTests {
  private static let pq = [
    "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv",
  ]
  private static let hlg = [
    "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc", "-color_range", "tv",
  ]

  /// A lossless copy of a pattern that went through a filter of ffmpeg.
  private func damaged(
    _ path: String, _ name: String, in scratch: Scratch, filter: String, tags: [String] = pq,
    format: String = "yuv420p10le"
  ) throws -> String {
    let result = scratch.path(name)
    try Tool.ffmpeg.run(
      ["-i", path, "-vf", filter, "-c:v", "ffv1", "-pix_fmt", format] + tags + ["-y", result])
    return result
  }

  private func expect(
    _ names: [String], in path: String, _ pattern: String, _ arguments: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let verdict = try Verdict(path, pattern, arguments)
    #expect(verdict.status == 3, "\(verdict.words)", sourceLocation: sourceLocation)
    for name in names {
      #expect(verdict.faults.contains(name), "\(name): \(verdict.words)", sourceLocation: sourceLocation)
    }
  }

  private static let hdrPatterns = ["bt2111-pq", "steps", "gamut", "colorchecker"]

  private func source(_ pattern: String, in scratch: Scratch, _ arguments: [String] = []) throws -> String {
    try Verdict.make(pattern, "source.mkv", in: scratch, ["-c:v", "ffv1"] + arguments)
  }

  @Test(arguments: hdrPatterns)
  func rangeByTag(_ pattern: String) throws {
    let scratch = try Scratch()
    let path = try source(pattern, in: scratch)
    let full = try damaged(
      path, "full.mkv", in: scratch, filter: "null", tags: Self.pq.dropLast() + ["pc"])
    try expect(["range.narrow-as-full"], in: full, pattern)
  }

  @Test(arguments: ["steps", "gamut", "bt2111-pq-full"])
  func fullRangeAsNarrow(_ pattern: String) throws {
    let scratch = try Scratch()
    let path = try source(pattern, in: scratch, ["--range", "full"])
    let narrow = try damaged(path, "narrow.mkv", in: scratch, filter: "setrange=tv")
    try expect(["range.full-as-narrow"], in: narrow, pattern)
  }

  @Test(arguments: hdrPatterns)
  func rangeByConversion(_ pattern: String) throws {
    let scratch = try Scratch()
    let path = try source(pattern, in: scratch)
    // Codes become those of full range; tags still say narrow.
    let stretched = try damaged(
      path, "stretched.mkv", in: scratch, filter: "scale=in_range=tv:out_range=pc:flags=bicubic,setrange=tv")
    try expect(["range.full-as-narrow"], in: stretched, pattern)
  }

  @Test(arguments: [
    ("bt2111-pq", "bt709", "matrix.2020-for-709"), ("gamut", "bt709", "matrix.2020-for-709"),
    ("colorchecker", "bt709", "matrix.2020-for-709"),
  ])
  func matrixByTag(_ pattern: String, _ matrix: String, _ name: String) throws {
    let scratch = try Scratch()
    let path = try source(pattern, in: scratch)
    let tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", matrix, "-color_range", "tv"]
    // The stream was made with BT.2020's matrix and is read with BT.709's.
    let wrong = try damaged(path, "wrong.mkv", in: scratch, filter: "setparams=colorspace=\(matrix)", tags: tags)
    try expect([name], in: wrong, pattern)
  }

  @Test(arguments: ["bt2111-pq", "gamut", "colorchecker"])
  func matrix709For2020(_ pattern: String) throws {
    let scratch = try Scratch()
    let path = try source(pattern, in: scratch, ["--pixel-format", "gbrp10le", "--range", "limited"])
    // R'G'B' is coded with BT.709's matrix and tagged as BT.2020's.
    let wrong = try damaged(
      path, "wrong.mkv", in: scratch,
      filter: "scale=in_range=tv:out_color_matrix=bt709:out_range=tv,setparams=colorspace=bt2020nc",
      format: "yuv444p10le")
    try expect(["matrix.709-for-2020"], in: wrong, pattern)
  }

  @Test func matrix601For709() throws {
    let scratch = try Scratch()
    let path = try source(
      "colorchecker", in: scratch, ["--to", "sdr", "--pixel-format", "gbrp10le", "--range", "limited"])
    let tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"]
    let wrong = try damaged(
      path, "wrong.mkv", in: scratch,
      filter: "scale=in_range=tv:out_color_matrix=bt601:out_range=tv,setparams=colorspace=bt709", tags: tags,
      format: "yuv444p10le")
    try expect(["matrix.601-for-709"], in: wrong, "colorchecker")
  }

  @Test(arguments: ["bt2111-hlg", "steps", "colorchecker"])
  func hlgReadAsPQ(_ pattern: String) throws {
    let scratch = try Scratch()
    let path = try source(pattern, in: scratch, ["--to", "hlg"])
    let wrong = try damaged(path, "wrong.mkv", in: scratch, filter: "setparams=color_trc=smpte2084")
    try expect(["transfer.hlg-as-pq"], in: wrong, pattern, ["--made-as", "hlg"])
    if pattern == "bt2111-hlg" { try expect(["transfer.hlg-as-pq"], in: wrong, pattern) }
  }

  @Test func topLeftChromaReadAsLeft() throws {
    let scratch = try Scratch()
    let path = try Verdict.make("chroma-siting", "source.mp4", in: scratch, ["--crf", "4"])
    let clean = try Verdict(path, "chroma-siting")
    #expect(clean.status == 0, "\(clean.words)")
    // The same stream under a tag that says left.
    let wrong = scratch.path("left.mp4")
    try Tool.ffmpeg.run(
      ["-i", path, "-c", "copy", "-bsf:v", "hevc_metadata=chroma_sample_loc_type=0", "-y", wrong])
    try expect(["chroma-location"], in: wrong, "chroma-siting")
  }

  /// Ten bits without their last two.
  private static let truncation = "lutyuv=y=bitand(val\\,1020):u=bitand(val\\,1020):v=bitand(val\\,1020)"

  @Test(arguments: ["banding", "ramp", "bt2111-pq"])
  func eightBits(_ pattern: String) throws {
    let scratch = try Scratch()
    let path = try source(pattern, in: scratch)
    let cut = try damaged(
      path, "cut.mkv", in: scratch, filter: Self.truncation)
    try expect(["bit-depth.8"], in: cut, pattern)
  }

  @Test func eightBitsAfterAnEncoder() throws {
    let scratch = try Scratch()
    let path = try source("banding", in: scratch)
    let cut = try damaged(path, "cut.mkv", in: scratch, filter: Self.truncation)
    let coded = scratch.path("coded.mkv")
    try Tool.ffmpeg.run(
      ["-i", cut, "-c:v", "libx265", "-crf", "8", "-preset", "fast", "-x265-params", "log-level=none"] + Self.pq + [
        "-y", coded,
      ])
    try expect(["bit-depth.8"], in: coded, "banding")
  }

  @Test func missingMasteringDisplay() throws {
    let scratch = try Scratch()
    let path = try source("steps", in: scratch)
    let wrong = scratch.path("raw.mkv")
    // The coded stream of ffv1 carries no light data of its own: a new file of it has none.
    try Tool.ffmpeg.run(
      ["-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-y", scratch.path("raw.yuv")])
    try Tool.ffmpeg.run(
      ["-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "960x540", "-i", scratch.path("raw.yuv"), "-c:v", "ffv1"]
        + Self.pq
        + ["-chroma_sample_location", "topleft", "-y", wrong])
    try expect(["metadata.mdcv-missing", "metadata.max-cll-missing"], in: wrong, "steps")
  }

  @Test(arguments: [0.9, 1.1])
  func maxCLLOffByTenPercent(_ factor: Double) throws {
    let scratch = try Scratch()
    let path = try source("colorchecker", in: scratch)
    let light = try #require(
      try Probe(path, ["-show_streams"]).streams?.first?.side_data_list?.first("Content light level metadata"))
    let wrong = scratch.path("wrong.mkv")
    let (cll, fall) = (Int((Double(light.max_content ?? 0) * factor).rounded()), light.max_average ?? 0)
    let result = try Command.run([
      "transcode", path, "-o", wrong, "--to", "hdr10", "-c:v", "ffv1", "--max-cll", "\(cll),\(fall)", "-q",
    ])
    try #require(result.status == 0, "\(result.messages)")
    let verdict = try Verdict(wrong, "colorchecker")
    #expect(verdict.status == 3 && verdict.faults == ["metadata.max-cll"], "\(verdict.words)")
  }

  @Test func framesRepeatedDroppedAndSwapped() throws {
    let scratch = try Scratch()
    let path = try Verdict.make("counter", "counter.mkv", in: scratch, size: "640x360", duration: 1, ["-c:v", "ffv1"])
    let clean = try Verdict(path, "counter")
    #expect(clean.status == 0, "\(clean.words)")
    let dropped = try damaged(path, "dropped.mkv", in: scratch, filter: "select='not(eq(n,10))'")
    let first = try Verdict(dropped, "counter")
    #expect(first.status == 3 && first.faults == ["frames.dropped"], "\(first.words)")
    let repeated = try damaged(
      path, "repeated.mkv", in: scratch, filter: "loop=loop=1:size=1:start=10,setpts=N/25/TB")
    let second = try Verdict(repeated, "counter")
    #expect(second.status == 3 && second.faults == ["frames.repeated"], "\(second.words)")
    let swapped = try damaged(path, "swapped.mkv", in: scratch, filter: "shuffleframes=0 2 1 3 4")
    try expect(["frames.reordered"], in: swapped, "counter")
  }

  /// 2 % more light, or 2 % more signal.
  @Test(arguments: ["steps", "bt2111-pq", "colorchecker"])
  func gain(_ pattern: String) throws {
    let scratch = try Scratch()
    let path = try source(pattern, in: scratch, ["--pixel-format", "gbrp12le", "--range", "limited"])
    let signal = try damaged(
      path, "signal.mkv", in: scratch,
      filter: "lutrgb=r='(val-256)*0.98+256':g='(val-256)*0.98+256':b='(val-256)*0.98+256'",
      format: "gbrp12le")
    try expect(["gain"], in: signal, pattern)
  }

  @Test(arguments: ["clipping", "edr", "ramp"])
  func clippingAt800(_ pattern: String) throws {
    let scratch = try Scratch()
    let path = try source(pattern, in: scratch)
    let cut = scratch.path("cut.mkv")
    let result = try Command.run([
      "transcode", path, "-o", cut, "--to", "hdr10", "--peak", "800", "--tone-map", "clip", "-c:v", "ffv1", "-q",
    ])
    try #require(result.status == 0, "\(result.messages)")
    let verdict = try Verdict(cut, pattern)
    #expect(verdict.status == 3 && verdict.faults.contains("clip"), "\(verdict.words)")
    let point = try #require(verdict.object["clip_point"] as? Double)
    #expect(abs(point / 800 - 1) < 0.05, "\(point)")
  }

  /// The window is a few pixels that the scaler has blurred.
  @Test func whatIsTooSmallToBeMeasuredHasNotPassed() throws {
    let scratch = try Scratch()
    let (path, tiny) = (scratch.path("source.png"), scratch.path("tiny.png"))
    #expect(try Command.run(["pattern", "window", "-o", path, "--size", "640x360", "-q"]).status == 0)
    try Tool.ffmpeg.run(["-i", path, "-vf", "scale=16:16:flags=area", tiny])
    try expect(["unmeasured"], in: tiny, "window")
  }
}
