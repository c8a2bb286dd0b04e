import Foundation
import TestSupport
import Testing

/// Filters through the whole program.
@Suite struct FilterCommandTests {
  private static let sample = "media/hdr10-sample.mp4"

  private func run(_ arguments: [String]) throws -> Command.Result { try Command.run(arguments + ["-q"]) }

  /// Sixteen-bit samples of a picture by ffmpeg, three a pixel.
  private func samples(_ path: String) throws -> [UInt16] {
    let data = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"])
    return stride(from: 0, to: data.count - 1, by: 2).map { UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8 }
  }

  /// A picture of P3 red, sRGB red and white at 100 cd/m², each a third, as PNG of BT.2100 PQ with cICP.
  private func pair(_ scratch: Scratch) throws -> String {
    let (raw, path) = (scratch.path("pair.rgb"), scratch.path("pair.mkv"))
    // PQ of BT.2020 components in 65535ths: 100 cd/m² is 0.508078; matrices of ITU-R BT.2087 and SMPTE EG 432-1.
    func pq(_ nits: Double) -> Double {
      let p = pow(max(nits, 0) / 10_000, 2610.0 / 16384)
      return pow((3424.0 / 4096 + 2413.0 / 128 * p) / (1 + 2392.0 / 128 * p), 2523.0 / 32)
    }
    let colors = [[0.75383, 0.04574, -0.00121], [0.62740, 0.06910, 0.01639], [1, 1, 1]]
    let codes = colors.map { color in color.map { UInt16((pq($0 * 100) * 1023).rounded()) } }
    // Planes of green, blue and red, as gbrp10 has them.
    let words = [1, 2, 0].flatMap { plane in
      (0..<32).flatMap { _ in codes.flatMap { [UInt16](repeating: $0[plane], count: 16) } }
    }
    try Data(words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }).write(to: URL(fileURLWithPath: raw))
    try Tool.ffmpeg.run([
      "-f", "rawvideo", "-pix_fmt", "gbrp10le", "-s", "48x32", "-i", raw, "-c:v", "ffv1", "-color_primaries", "bt2020",
      "-color_trc", "smpte2084", "-colorspace", "rgb", "-color_range", "pc", "-y", path,
    ])
    return path
  }

  /// The content is tested, not the result of mapping to BT.709: P3 red stays a colour in SDR, sRGB red becomes grey.
  @Test(arguments: ["sdr", "hdr10"])
  func theContentIsTestedBeforeItIsMapped(_ kind: String) throws {
    let scratch = try Scratch()
    let output = scratch.path("out.png")
    let result = try run(
      ["transcode", try pair(scratch), "-o", output, "--to", kind, "--frames", "0", "--filter", "highlight"])
    #expect(result.status == 0, "\(result.messages)")
    let codes = try samples(output)
    func pixel(_ x: Int) -> [UInt16] { Array(codes[(16 * 48 + x) * 3..<(16 * 48 + x) * 3 + 3]) }
    #expect(Int(pixel(8)[0]) - Int(pixel(8)[1]) > 5000, "\(pixel(8))")
    for x in [24, 40] { #expect(pixel(x).max()! - pixel(x).min()! <= 64, "\(x): \(pixel(x))") }
  }

  /// Light as decoded, filtered: what stays has every bit of what it was.
  @Test func decodedLightStaysToTheBit() throws {
    let scratch = try Scratch()
    let (plain, filtered) = (scratch.path("plain.raw"), scratch.path("filtered.raw"))
    let arguments = ["-f", "rgba16Float", "--space", "extendedLinearITUR_2020"]
    let pair = try pair(scratch)
    #expect(try run(["dump", pair, "-o", plain] + arguments).status == 0)
    #expect(try run(["dump", pair, "-o", filtered, "--filter", "highlight"] + arguments).status == 0)
    let (a, b) = (
      try Data(contentsOf: URL(fileURLWithPath: plain)), try Data(contentsOf: URL(fileURLWithPath: filtered))
    )
    #expect(a.count == 48 * 32 * 8 && b.count == a.count)
    for pixel in stride(from: 0, to: a.count, by: 8) {
      let isWide = pixel / 8 % 48 < 16
      if isWide {
        #expect(a[pixel..<pixel + 6] == b[pixel..<pixel + 6])
      } else {
        #expect(b[pixel..<pixel + 2] == b[pixel + 2..<pixel + 4] && b[pixel..<pixel + 2] == b[pixel + 4..<pixel + 6])
      }
    }
  }

  /// The same bytes with any number of workers, for every filter.
  @Test(arguments: [
    ["highlight=tint=orange"], ["false-color"], ["clip-warning", "scopes"], ["scopes=place=right:rows=1", "highlight"],
  ])
  func theSameForAnyNumberOfThreads(_ filters: [String]) throws {
    let hashes = try ["1", "3"].map { threads in
      let result = try Command.program(
        ["transcode", Self.sample, "-q", "-o", "-", "-f", "framemd5", "--frames", "0-1", "--threads", threads]
          + ["-c:v", "rawvideo"] + filters.flatMap { ["--filter", $0] })
      #expect(result.status == 0, "\(result.messages)")
      return result.output
    }
    #expect(hashes[0] == hashes[1] && hashes[0].contains(","))
  }

  /// Frames grow by what is drawn beside the picture, which is unchanged.
  @Test func scopesBesideThePicture() throws {
    let scratch = try Scratch()
    let (plain, beside) = (scratch.path("plain.png"), scratch.path("beside.png"))
    #expect(try run(["transcode", Self.sample, "-o", plain, "--frames", "0", "--scale", "960x540"]).status == 0)
    let result = try run([
      "transcode", Self.sample, "-o", beside, "--frames", "0", "--scale", "960x540", "--filter",
      "scopes=place=right:share=0.5",
    ])
    #expect(result.status == 0, "\(result.messages)")
    let (a, b) = (try samples(plain), try samples(beside))
    #expect(a.count == 960 * 540 * 3 && b.count == 1440 * 540 * 3)
    #expect(
      (0..<540).allSatisfy { y in a[(y * 960 * 3)..<((y + 1) * 960 * 3)] == b[(y * 1440 * 3)..<(y * 1440 * 3 + 960 * 3)]
      })
  }

  @Test func help() throws {
    let result = try run(["transcode", Self.sample, "-f", "null", "--filter", "help"])
    #expect(result.status == 0)
    for word in ["highlight\n", "false-color\n", "clip-warning\n", "scopes\n", "tolerance=", "bright greys"] {
      #expect(result.output.contains(word), "\(word)")
    }
  }

  /// Filters without effect, impossible ones, and their messages.
  @Test(arguments: [
    (["dump", sample, "-o", "x.png", "--frames", "0", "--stage", "filtered"], "add a --filter"),
    (
      ["dump", sample, "-o", "x.png", "--frames", "0", "--stage", "decoded", "--filter", "highlight"],
      "before the filters"
    ),
    (["dump", sample, "-o", "x.exr", "--frames", "0", "--filter", "clip-warning"], "--to sdr"),
    (["transcode", sample, "-f", "null", "--filter", "blur"], "highlight, false-color"),
    (["transcode", sample, "-f", "null", "--filter", "scopes=share=0.1"], "share="),
    (["transcode", sample, "-f", "null", "--filter", "false-color", "--filter", "clip-warning"], "choose one"),
    (["transcode", sample, "-f", "null", "--filter", "scopes", "--filter", "scopes=show=histogram"], "place=over"),
    (["scopes", sample, "-o", "x.jpg"], "png, tiff"),
    (["scopes", sample, "-o", "x.png", "--scopes", "waveform", "--vectorscope", "ycbcr"], "--scopes"),
    (["scopes", sample, "-o", "x.exr"], "8-bit"), (["scopes", sample, "-o", "x.png", "--crf", "3"], "for video"),
    (["scopes", sample, "-o", "x.png", "--size", "100x100"], "do not fit"),
    (["scopes", sample, "-o", "x.png", "--scopes", "waveform,waveform"], "--scopes"), (["scopes", sample], "-o FILE"),
  ])
  func refusals(_ arguments: [String], _ words: String) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 2, "\(result.messages)")
    #expect(result.messages.contains(words), "\(result.messages)")
  }
}
