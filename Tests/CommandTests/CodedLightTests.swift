import Foundation
import TestSupport
import Testing

/// MaxCLL and MaxFALL of coded pictures, and what `--max-cll measure` refuses; `tools/check-light` has many more pictures.
@Suite struct CodedLightTests {
  /// White and red share chroma in 4:2:0: read as it is coded, white is brighter than it was.
  @Test(arguments: [[], ["--max-cll", "measure"]])
  func colouredEdges(_ options: [String]) throws {
    let scratch = try Scratch()
    let input = try edges(scratch)
    let output = scratch.path("out.mp4")
    let report = scratch.path("report.json")
    let result = try Command.run(
      [
        "transcode", input, "-o", output, "--to", "hdr10", "--peak", "300", "-q", "-c:v", "libx265", "--preset",
        "ultrafast", "--encoder-options", "lossless=1", "--report", report,
      ] + options)
    #expect(result.status == 0, "\(result.messages)")
    let list = try Probe(output, ["-show_streams"]).streams?.first?.side_data_list
    let light = try #require(list?.first("Content light level metadata"))
    let (cll, fall) = try analyze(output, scratch)
    let (maxCLL, maxFALL) = (try #require(light.max_content), try #require(light.max_average))
    #expect(cll <= Double(maxCLL) && maxCLL <= 300)
    #expect(cll > 250, "the clip has no highlight")
    if options.isEmpty {
      #expect(maxCLL == 300 && maxFALL == 0)
    } else {
      #expect(fall <= Double(maxFALL) && Double(maxFALL) - fall <= max(0.02 * fall, 1.05))
      #expect(Double(maxCLL) - cll <= 0.02 * cll)
    }
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report)))
    let coded = try #require((json as? [String: Any])?["coded_light"] as? [String: Double])
    #expect(abs(try #require(coded["max_cll"]) / cll - 1) < 1e-3)
    #expect(abs(try #require(coded["max_fall"]) / fall - 1) < 1e-3)
  }

  /// Vertical stripes of white and saturated colours, each two columns and one wide, at 900 cd/m².
  private func edges(_ scratch: Scratch) throws -> String {
    let (width, height) = (96, 64)
    // PQ of 900 cd/m² at full range of ten bit is code 759.
    let colours: [[UInt16]] = [[759, 759, 759], [759, 0, 0], [0, 0, 759], [0, 759, 0], [0, 0, 0]]
    var planes = [[UInt16]](repeating: [], count: 3)
    for y in 0..<height {
      for x in 0..<width {
        let colour = colours[(x / (y < height / 2 ? 1 : 3) + y / 3) % colours.count]
        for (plane, component) in [1, 2, 0].enumerated() { planes[plane].append(colour[component]) }
      }
    }
    let (raw, path) = (scratch.path("edges.raw"), scratch.path("edges.mkv"))
    try Data(words: planes.flatMap(\.self)).write(to: URL(fileURLWithPath: raw))
    try Tool.ffmpeg.run(
      [
        "-f", "rawvideo", "-pix_fmt", "gbrp10le", "-s", "\(width)x\(height)", "-r", "25", "-i", raw, "-c:v", "ffv1",
        "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "rgb", "-color_range", "pc", "-y", path,
      ])
    return path
  }

  /// MaxCLL and MaxFALL of the larger of two readings of chroma sited on the top left.
  private func analyze(_ path: String, _ scratch: Scratch) throws -> (Double, Double) {
    let raw = scratch.path("out.raw")
    try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-y", raw])
    let site = try #require(try Probe(path, ["-show_streams"]).streams?.first?.chroma_location)
    let output = try Python.run(
      """
      import sys, numpy as np
      w, h, (ox, oy) = 96, 64, {'topleft': (0, 0), 'left': (0, .5)}[sys.argv[2]]
      d = np.fromfile(sys.argv[1], '<u2').astype(float)
      y, cb, cr = d[:w*h].reshape(h, w), d[w*h:w*h*5//4].reshape(h//2, w//2), d[w*h*5//4:w*h*3//2].reshape(h//2, w//2)
      def up(p, n, o, axis):
          q = (np.arange(n) - o) / 2; b = np.floor(q).astype(int); f = q - b
          f = f[:, None] if axis == 0 else f[None, :]
          c = lambda i: p.take(np.clip(i, 0, p.shape[axis] - 1), axis)
          return c(b) * (1 - f) + c(b + 1) * f
      def light(cb, cr):
          e, u, v = (y - 64) / 876, (cb - 512) / 896, (cr - 512) / 896
          r, b = e + 1.4746 * v, e + 1.8814 * u
          g = (e - .2627 * r - .0593 * b) / .678
          p = np.clip(np.maximum(np.maximum(r, g), b), 0, 1) ** (32 / 2523)
          return 10000 * (np.maximum(p - 107 / 128, 0) / (2413 / 128 - 2392 / 128 * p)) ** (8192 / 1305)
      near = light(*(p.repeat(2, 0).repeat(2, 1) for p in (cb, cr)))
      sited = light(*(up(up(p, h, oy, 0), w, ox, 1) for p in (cb, cr)))
      print(max(near.max(), sited.max()), max(near.mean(), sited.mean()))
      """, [raw, site])
    let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(numbers.count == 2)
    return (numbers[0], numbers[1])
  }

  /// A pass of its own needs an input that can be read again.
  @Test(arguments: ["--max-cll measure --to hdr10", "--peak-detect"])
  func pipesAreRefused(_ option: String) throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", MeasureTests.pq)
    let messages = scratch.path("messages")
    let program = "'\(Command.url.path)' transcode"
    for line in [
      "cat '\(input)' | \(program) /dev/stdin -o '\(scratch.path("out.mkv"))' \(option) 2>'\(messages)'",
      "ffmpeg -v error -i '\(input)' -strict -1 -f yuv4mpegpipe - | \(program) - -o '\(scratch.path("out.mkv"))' "
        + "--input-transfer pq \(option) 2>'\(messages)'",
    ] {
      #expect(try Command.shell("(\(line)) 2>/dev/null") == 2)
      let text = try String(contentsOfFile: messages, encoding: .utf8)
      #expect(text.contains("cannot be read twice"), "\(text)")
    }
    #expect(Set(scratch.contents) == ["in.mkv", "messages"])
  }

  /// A warning is given for a system gamma that no file states.
  @Test func hlgForAnotherPeakIsSaid() throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", MeasureTests.pq)
    let output = scratch.path("out.mkv")
    func messages(_ options: [String]) throws -> String {
      try Command.run(["transcode", input, "-o", output, "--to", "hlg", "--overwrite", "-c:v", "ffv1"] + options)
        .messages
    }
    let said = try messages(["--peak", "600"])
    #expect(said.contains("1.107") && said.contains("nominal peak of 1000 cd/m² and 1.2"), "\(said)")
    #expect(try !messages([]).contains("system gamma"))
    #expect(try !messages(["--peak", "1000"]).contains("system gamma"))
  }
}
