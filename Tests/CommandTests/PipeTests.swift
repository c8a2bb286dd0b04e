import Foundation
import TestSupport
import Testing

/// Y4M from standard input and onto standard output, between ffmpeg and ffmpeg.
@Suite struct PipeTests {

  /// Grey of 203 cd/m² (PQ) goes through at every depth, and comes out as it is shown.
  @Test(arguments: [8, 10, 12], [8, 10, 12])
  func depths(_ input: Int, _ output: Int) throws {
    let scratch = try Scratch()
    let format = { (depth: Int) in depth == 8 ? "yuv420p" : "yuv420p\(depth)le" }
    // PQ of 203 cd/m² is 0.5807 of the signal: 64 + 0.5807 · 876 at ten bit.
    let code = Int(((64 + 0.5807 * 876) * Double(1 << input) / 1024).rounded())
    let messages = scratch.path("messages")
    let frames = scratch.path("frames")
    let source =
      "ffmpeg -v error -f lavfi -i color=black:s=64x48:r=25:d=0.4,format=\(format(input)),"
      + "lutyuv=y=\(code):u=\(128 << (input - 8)):v=\(128 << (input - 8)) -strict -1 -f yuv4mpegpipe -"
    let middle =
      "'\(Command.url.path)' transcode - -o - --input-transfer pq --to hdr10 --pixel-format \(format(output)) 2>'\(messages)'"
    let sink = "ffmpeg -v error -f yuv4mpegpipe -i - -f rawvideo -y '\(frames)'"
    #expect(try Command.shell("\(source) | \(middle) | \(sink)") == 0)
    let text = try String(contentsOfFile: messages, encoding: .utf8)
    #expect(text.contains("--transfer smpte2084"), "\(text)")
    let data = try Data(contentsOf: URL(fileURLWithPath: frames))
    let samples = output == 8 ? data.map { UInt16($0) } : data.words
    #expect(samples.count == 10 * 64 * 48 * 3 / 2)
    let expected = Double(code) * Double(1 << output) / Double(1 << input)
    // Half floats of the source's code, and dither at eight bit.
    let tolerance = max(1.0, 1.5 * Double(1 << output) / 4096)
    for sample in samples.prefix(64 * 48) where abs(Double(sample) - expected) > tolerance {
      Issue.record("a sample is \(sample), not \(expected)")
      break
    }
  }
}
