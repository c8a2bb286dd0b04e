import Foundation
import TestSupport
import Testing

/// Matrices and R'G'B' as options and tags give them; `tools/check-matrices` checks the light.
@Suite struct MatrixTests {
  private func clip(_ scratch: Scratch, _ name: String, _ matrix: [String]) throws -> String {
    try scratch.clip(
      name, size: "64x48", frames: 1,
      ["-pix_fmt", "yuv444p10le", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-c:v", "ffv1"] + matrix)
  }

  private func light(_ path: String, _ scratch: Scratch, _ options: [String] = []) throws -> Data {
    let raw = scratch.path("light.raw")
    let result = try Command.run(
      ["dump", path, "-o", raw, "--overwrite", "-q", "--stage", "decoded", "--space", "linear-bt2020"] + options)
    #expect(result.status == 0, "\(result.messages)")
    return try Data(contentsOf: URL(fileURLWithPath: raw))
  }

  /// What the user says is what a tag would say.
  @Test(arguments: [
    "ictcp", "bt2020c", "ycgco", "chroma-derived-nc", "chroma-derived-c", "fcc", "smpte240m", "bt470bg",
  ])
  func inputMatrix(_ matrix: String) throws {
    let scratch = try Scratch()
    let plain = try clip(scratch, "plain.mkv", [])
    let tagged = try clip(scratch, "tagged.mkv", ["-colorspace", matrix])
    let wanted = try light(tagged, scratch)
    #expect(try light(plain, scratch, ["--input-matrix", matrix]) == wanted)
    #expect(try light(plain, scratch) != wanted)
  }

  /// The planes of Y'CbCr are G', B' and R', or are not, where the user says so.
  @Test func inputMatrixOfRGB() throws {
    let scratch = try Scratch()
    let plain = try clip(scratch, "plain.mkv", [])
    let tagged = scratch.path("tagged.mkv")
    try Tool.ffmpeg.run(["-i", plain, "-c", "copy", "-colorspace", "0", tagged])
    #expect(try light(plain, scratch, ["--input-matrix", "gbr"]) == light(tagged, scratch))
    #expect(try light(tagged, scratch, ["--input-matrix", "bt2020nc"]) == light(plain, scratch))
  }

  /// Every verb that reads frames takes the matrix, and says what cannot be.
  @Test func everyVerbTakesIt() throws {
    let scratch = try Scratch()
    let path = try clip(scratch, "a.mkv", [])
    let verbs = [
      ["probe", path], ["transcode", path, "-o", scratch.path("o.mkv"), "-c:v", "ffv1"], ["measure", path],
      ["scopes", path, "-o", scratch.path("o.png")],
    ]
    for verb in verbs {
      let result = try Command.run(verb + ["--input-matrix", "ictcp"])
      #expect(result.status == 0, "\(verb): \(result.messages)")
    }
    #expect(try Command.run(["probe", path, "--input-matrix", "ictcp"]).output.contains("ictcp"))
    let wrong = try Command.run(["measure", path, "--input-matrix", "ictcp", "--input-transfer", "sdr"])
    #expect(wrong.status == 1 && wrong.messages.contains("--input-matrix"))
    #expect(try Command.run(["measure", path, "--input-matrix", "rec2020"]).status == 2)
  }

  /// 4:2:0 that says it is R'G'B' is refused with what to do, and read where the user knows better.
  @Test func subsampledRGB() throws {
    let scratch = try Scratch()
    let path = try scratch.clip(
      "a.mkv", size: "64x48", frames: 1, ["-pix_fmt", "yuv420p", "-c:v", "ffv1", "-color_trc", "bt709"])
    let tagged = scratch.path("tagged.mkv")
    try Tool.ffmpeg.run(["-i", path, "-c", "copy", "-colorspace", "0", tagged])
    let result = try Command.run(["measure", tagged])
    #expect(result.status == 1 && result.messages.contains("--input-matrix"))
    #expect(try Command.run(["measure", tagged, "--input-matrix", "bt709"]).status == 0)
  }

  /// Grey that is asked for is the luma of the same output in 4:4:4, by ffmpeg's decoders.
  @Test(arguments: [
    ["ffv1", "gray10le"], ["libx265", "gray10le", "--encoder-options", "lossless=1"],
    ["libx264", "gray10le", "--encoder-options", "qp=0"],
  ])
  func grayOutput(_ arguments: [String]) throws {
    let scratch = try Scratch()
    func coded(_ name: String, _ encoder: [String]) throws -> Data {
      let path = scratch.path(name)
      let result = try Command.run(
        [
          "transcode", DumpTests.sample, "-o", path, "-q", "--to", "sdr", "--frames", "0", "-c:v", encoder[0],
          "--pixel-format", encoder[1],
        ] + encoder.dropFirst(2))
      #expect(result.status == 0, "\(result.messages)")
      return try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-"])
    }
    let wanted = try coded("color.mkv", ["ffv1", "yuv444p10le"])
    let gray = try coded("gray.mkv", arguments)
    // FFmpeg decodes monochrome H.264 as 4:2:0.
    let count = wanted.count / 3
    #expect(gray.count >= count && gray.prefix(count) == wanted.prefix(count))
  }

  /// A pattern in grey is its luma, and Y4M carries grey.
  @Test func grayPattern() throws {
    let scratch = try Scratch()
    for (name, pixels) in [("gray.mkv", "gray10le"), ("color.mkv", "yuv444p10le")] {
      let result = try Command.run([
        "pattern", "bt2111-pq", "-o", scratch.path(name), "-q", "--size", "960x540", "--duration", "0.05", "-c:v",
        "ffv1",
        "--pixel-format", pixels,
      ])
      #expect(result.status == 0, "\(result.messages)")
    }
    func raw(_ name: String) throws -> Data {
      try Tool.ffmpeg.run(["-i", scratch.path(name), "-frames:v", "1", "-f", "rawvideo", "-"])
    }
    let gray = try raw("gray.mkv")
    #expect(gray.count == 960 * 540 * 2)
    #expect(try raw("color.mkv").prefix(gray.count) == gray)
    #expect(try Command.run(["dump", scratch.path("gray.mkv"), "-o", scratch.path("gray.y4m"), "-q"]).status == 0)
    #expect(try raw("gray.y4m") == gray)
    // Bars without their colours are measured, and fail.
    #expect(try Command.run(["verify", scratch.path("gray.mkv"), "--pattern", "bt2111-pq"]).status == 3)
  }
}
