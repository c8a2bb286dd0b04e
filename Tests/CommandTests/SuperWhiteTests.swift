import Foundation
import TestSupport
import Testing

/// Codes above white of narrow range, pair by pair (decision 0016), against numpy.
@Suite struct SuperWhiteTests {
  /// Every code of video data in ten bits, 64 and above, as grey.
  private func ramp(_ transfer: String, _ scratch: Scratch) throws -> String {
    let (raw, path) = (scratch.path("ramp.yuv"), scratch.path("ramp.mkv"))
    let luma = (0..<16).flatMap { _ in (0..<956).map { UInt16(64 + $0) } }
    try Data(words: luma + [UInt16](repeating: 512, count: 2 * luma.count)).write(to: URL(fileURLWithPath: raw))
    let isSDR = transfer == "bt709"
    try Tool.ffmpeg.run(
      [
        "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", "956x16", "-r", "25", "-i", raw, "-c:v", "ffv1",
        "-color_trc", transfer, "-color_primaries", isSDR ? "bt709" : "bt2020", "-colorspace",
        isSDR ? "bt709" : "bt2020nc", "-color_range", "tv", "-y", path,
      ])
    return path
  }

  struct Pair: Sendable, CustomStringConvertible {
    var transfer: String
    var options: [String]
    /// The signal of `v` in numpy, with what `judge` defines.
    var signal: String
    var description: String { "\(transfer) \(options.joined(separator: " "))" }
  }

  static let pairs = [
    Pair(transfer: "bt709", options: ["--to", "sdr"], signal: "v"),
    Pair(transfer: "bt709", options: ["--to", "hdr10"], signal: "pq(203 * v ** 2.4)"),
    Pair(transfer: "bt709", options: ["--to", "hdr10", "--peak", "1000"], signal: "pq(203 * v ** 2.4)"),
    Pair(transfer: "bt709", options: ["--to", "hdr10", "--peak", "203"], signal: "pq(203 * np.minimum(v, 1) ** 2.4)"),
    Pair(transfer: "bt709", options: ["--to", "hlg"], signal: "hlg((203 * v ** 2.4 / 1000) ** (1 / 1.2))"),
    Pair(transfer: "arib-std-b67", options: ["--to", "hlg"], signal: "v"),
    Pair(transfer: "arib-std-b67", options: ["--to", "hdr10"], signal: "pq(1000 * scene(v) ** 1.2)"),
    Pair(
      transfer: "arib-std-b67", options: ["--to", "hdr10", "--peak", "1000"],
      signal: "pq(1000 * scene(np.minimum(v, 1)) ** 1.2)"),
    Pair(
      transfer: "arib-std-b67", options: ["--to", "sdr", "--tone-map", "clip"],
      signal: "np.minimum((10 * scene(v) ** 1.2) ** (1 / 2.4), 1)"),
  ]

  @Test(arguments: pairs, ["avx2", "baseline"])
  func everyCode(_ pair: Pair, _ kernels: String) throws {
    let scratch = try Scratch()
    let (input, output) = (try ramp(pair.transfer, scratch), scratch.path("out.mkv"))
    let result = try Command.run(
      [
        "transcode", input, "-o", output, "-q", "-c:v", "ffv1", "--pixel-format", "yuv444p10le", "--kernels", kernels,
      ] + pair.options)
    if kernels == "avx2", result.messages.contains("does not run") { return }
    #expect(result.status == 0, "\(result.messages)")
    let raw = scratch.path("out.yuv")
    try Tool.ffmpeg.run(["-i", output, "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-y", raw])
    let difference = try Python.run(
      """
      import sys, numpy as np
      got = np.fromfile(sys.argv[1], '<u2')[:956].astype(float)
      v = np.arange(956) / 876
      a = 0.17883277; b = 1 - 4 * a; c = 0.5 - a * np.log(4 * a)
      scene = lambda e: np.where(e <= 0.5, e * e / 3, (np.exp((e - c) / a) + b) / 12)
      hlg = lambda e: np.where(e <= 1 / 12, np.sqrt(3 * e), a * np.log(np.maximum(12 * e - b, 1e-9)) + c)
      def pq(nits):
          y = (nits / 10000) ** (1305 / 8192)
          return ((107 / 128 + 2413 / 128 * y) / (1 + 2392 / 128 * y)) ** (2523 / 32)
      want = np.minimum(np.round(64 + 876 * eval(sys.argv[2])), 1019)
      # The limit of MaxCLL takes up to a code off the brightest.
      print(int(np.abs(got - want).max()))
      """, [raw, pair.signal])
    #expect(try #require(Int(difference.trimmingCharacters(in: .whitespacesAndNewlines))) <= 1, "\(difference)")
  }

  /// Resampling clips sub-black to black, and full range cannot hold super-white.
  @Test func whatIsNotKept() throws {
    let scratch = try Scratch()
    let raw = scratch.path("in.yuv")
    let luma = (0..<16).flatMap { _ in (0..<64).map { UInt16($0) } }
    try Data(words: luma + [UInt16](repeating: 512, count: 2 * luma.count)).write(to: URL(fileURLWithPath: raw))
    let input = scratch.path("in.mkv")
    try Tool.ffmpeg.run(
      [
        "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", "64x16", "-r", "25", "-i", raw, "-c:v", "ffv1", "-color_trc",
        "bt709", "-color_primaries", "bt709", "-colorspace", "bt709", "-color_range", "tv", "-y", input,
      ])
    let output = scratch.path("out.mkv")
    let result = try Command.run(
      ["transcode", input, "-o", output, "-q", "-c:v", "ffv1", "--pixel-format", "yuv420p10le", "--to", "sdr"])
    #expect(result.status == 0, "\(result.messages)")
    let codes = scratch.path("out.yuv")
    try Tool.ffmpeg.run(["-i", output, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-y", codes])
    let words = try Data(contentsOf: URL(fileURLWithPath: codes)).words
    #expect(words.prefix(64 * 16).allSatisfy { $0 == 64 })
  }
}
