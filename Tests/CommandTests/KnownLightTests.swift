import Foundation
import TestSupport
import Testing

/// Grey of known luminance through the whole program, against published numbers.
@Suite struct KnownLightTests {
  /// PQ ten-bit narrow codes by luminance, and what `st2094-50` makes of them at headroom 1 when the content's peak is 1000:
  /// the tables of BT.2100 PQ and of ST 2094-50 C.3.8, as light relative to SDR white.
  static let patches: [(code: Int, light: Double)] = [(64, 0), (397, 0.0640), (509, 0.2463), (573, 0.5), (723, 1.0)]

  @Test(arguments: ["avx2", "baseline"])
  func greyOfKnownLuminance(_ kernels: String) throws {
    let scratch = try Scratch()
    for patch in Self.patches {
      let input = try grey(patch.code, "smpte2084", scratch)
      let output = scratch.path("out.y4m")
      let result = try Command.run(
        [
          "transcode", input, "-o", output, "--overwrite", "--pixel-format", "yuv420p10le", "-q", "--kernels", kernels,
          "--tone-map", "st2094-50",
        ])
      if kernels == "avx2", result.messages.contains("does not run") { return }
      #expect(result.status == 0, "\(result.messages)")
      let expected = 64 + 876 * pow(patch.light, 1 / 2.4)
      let codes = try samples(output)
      // The published light has four digits and the PQ code is rounded: a code and a half in all.
      #expect(
        codes.luma.allSatisfy { abs(Double($0) - expected) <= 1.6 },
        "\(patch): \(codes.luma.first ?? 0), not \(expected)")
      #expect(codes.chroma.allSatisfy { $0 == 512 })
    }
  }

  /// HLG reference white, 75 %, is 203 cd/m² on a 1000 cd/m² display and so 0.47 of SDR white.
  @Test func hlgReferenceWhite() throws {
    let scratch = try Scratch()
    let output = scratch.path("out.y4m")
    let result = try Command.run(
      ["transcode", try grey(721, "arib-std-b67", scratch), "-o", output, "--pixel-format", "yuv420p10le", "-q"])
    #expect(result.status == 0, "\(result.messages)")
    let expected = 64 + 876 * pow(0.47, 1 / 2.4)
    #expect(try samples(output).luma.allSatisfy { abs(Double($0) - expected) <= 1.6 })
  }

  /// PQ 58 % is HLG 75 % and the reverse. Source: ITU-R BT.2408-7, table 1.
  @Test(arguments: [
    ("smpte2084", 573, "hlg", 721), ("arib-std-b67", 721, "hdr10", 573), ("smpte2084", 723, "hdr10", 723),
  ])
  func referenceWhiteBetweenSystems(_ from: String, _ code: Int, _ to: String, _ expected: Int) throws {
    let scratch = try Scratch()
    let output = scratch.path("out.y4m")
    let result = try Command.run(["transcode", try grey(code, from, scratch), "-o", output, "--to", to, "-q"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try samples(output).luma.allSatisfy { abs(Int($0) - expected) <= 1 })
  }

  /// With the OOTF of the output's own display nothing is left to the tone curve: HLG 100 % is the display's peak.
  @Test func hlgForTheDisplay() throws {
    let scratch = try Scratch()
    let output = scratch.path("out.y4m")
    let result = try Command.run([
      "transcode", try grey(940, "arib-std-b67", scratch), "-o", output, "--pixel-format", "yuv420p10le", "-q",
      "--hlg-ootf", "display",
    ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try samples(output).luma.allSatisfy { $0 == 940 })
  }

  /// Y4M knows no times: its header has the frame rate.
  @Test func y4mFrameRate() throws {
    let scratch = try Scratch()
    let output = scratch.path("out.y4m")
    let result = try Command.run(["transcode", try grey(573, "smpte2084", scratch), "-o", output, "-q"])
    #expect(result.status == 0, "\(result.messages)")
    let header = String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)).prefix(40), as: UTF8.self)
    #expect(header.contains(" F25:1 "), "\(header)")
  }

  /// A lossless clip of one grey.
  private func grey(_ code: Int, _ transfer: String, _ scratch: Scratch) throws -> String {
    let path = scratch.path("grey-\(transfer)-\(code).mkv")
    let raw = scratch.path("grey.yuv")
    let words = [UInt16](repeating: UInt16(code), count: 64 * 32) + [UInt16](repeating: 512, count: 64 * 32 / 2)
    try Data(words: words).write(to: URL(fileURLWithPath: raw))
    try Tool.ffmpeg.run([
      "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "64x32", "-i", raw, "-c:v", "ffv1", "-color_primaries",
      "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range", "tv", "-y", path,
    ])
    return path
  }

  private func samples(_ path: String) throws -> (luma: [UInt16], chroma: [UInt16]) {
    let data = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-strict", "-1", "-"])
    let words = data.words
    #expect(words.count == 64 * 32 * 3 / 2)
    return (Array(words.prefix(64 * 32)), Array(words.dropFirst(64 * 32)))
  }
}
