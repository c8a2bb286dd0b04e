import Foundation
import TestSupport
import Testing

/// The verb `lut`: tables that other programs read, and what it refuses.
@Suite struct LUTTests {
  /// A reader of its own for `.cube` files: prints a JSON object of sizes and values.
  private static let reader = """
    import json, sys
    import numpy as np
    sizes, rows = {}, []
    for line in open(sys.argv[1], encoding="ascii"):
        word = line.split()[0]
        if word in ("LUT_1D_SIZE", "LUT_3D_SIZE"): sizes[word] = int(line.split()[1])
        elif word[0] in "0123456789-": rows.append([float(v) for v in line.split()])
    values = np.array(rows)
    n1, n3 = sizes.get("LUT_1D_SIZE", 0), sizes.get("LUT_3D_SIZE", 0)
    assert values.shape == (n1 + n3**3, 3), (values.shape, sizes)
    print(json.dumps({"curve": values[:n1].tolist(), "size": n3,
        "cube": np.moveaxis(values[n1:].reshape(n3, n3, n3, 3), (0, 2), (2, 0)).reshape(-1).tolist()}))
    """

  private struct Table: Decodable {
    let curve: [[Double]]
    let size: Int
    let cube: [Double]

    /// The colour at a node, by red, green and blue.
    func color(_ red: Int, _ green: Int, _ blue: Int) -> SIMD3<Double> {
      let first = 3 * ((red * size + green) * size + blue)
      return SIMD3(cube[first], cube[first + 1], cube[first + 2])
    }
  }

  private func read(_ path: String) throws -> Table {
    try JSONDecoder().decode(Table.self, from: Data(Python.run(Self.reader, [path]).utf8))
  }

  private func make(_ arguments: [String], _ scratch: Scratch) throws -> String {
    let path = scratch.path("table.cube")
    let result = try Command.run(["lut", "-o", path, "--overwrite", "-q"] + arguments)
    #expect(result.status == 0 && result.output.isEmpty && result.messages.isEmpty, "\(result.messages)")
    return path
  }

  /// R'G'B' of 16 bits through filters of ffmpeg.
  private func ffmpeg(_ colors: [SIMD3<Double>], _ filters: String, _ scratch: Scratch) throws -> [SIMD3<Double>] {
    let input = scratch.path("in.raw")
    let planes = [1, 2, 0].flatMap { plane in colors.map { UInt16(($0[plane] * 65535).rounded()) } }
    try Data(words: planes).write(to: URL(fileURLWithPath: input))
    let raw = ["-f", "rawvideo", "-pix_fmt", "gbrp16le"]
    let output = try Tool.ffmpeg.run(
      raw + ["-s", "\(colors.count)x1", "-i", input, "-vf", filters] + raw + ["-"])
    let words = output.words.map { Double($0) / 65535 }
    try #require(words.count == 3 * colors.count)
    return colors.indices.map { SIMD3(words[2 * colors.count + $0], words[$0], words[colors.count + $0]) }
  }

  /// PQ with no mapping requested is unchanged.
  @Test func identity() throws {
    let scratch = try Scratch()
    let path = try make(["--to", "hdr10", "--nodes", "9"], scratch)
    let table = try read(path)
    for node in 0..<729 {
      let (red, green, blue) = (node / 81, node / 9 % 9, node % 9)
      let difference = table.color(red, green, blue) - SIMD3(Double(red), Double(green), Double(blue)) / 8
      #expect(max(difference.max(), -difference.min()) < 1e-6)
    }
    let colors = [SIMD3(0.1, 0.2, 0.3), SIMD3(0.9, 0.05, 0.5), SIMD3(1, 0, 0.77)]
    for between in ["trilinear", "tetrahedral"] {
      for (color, result) in zip(colors, try ffmpeg(colors, "lut3d=\(path):interp=\(between)", scratch)) {
        #expect(max((color - result).max(), (result - color).max()) < 4e-5, "\(between)")
      }
    }
  }

  /// Greys of PQ content with a peak of 1000 cd/m²: signal and light relative to SDR white, by BT.2100 and ST 2094-50 C.3.8.
  @Test func greysOfKnownLight() throws {
    let scratch = try Scratch()
    let curve = try read(make(["--dimensions", "1", "--nodes", "877", "--tone-map", "st2094-50"], scratch)).curve
    for patch in KnownLightTests.patches {
      // A value for each ten-bit code, from 64 on.
      let expected = pow(patch.light, 1 / 2.4)
      // The published light has four digits and the PQ code is rounded.
      #expect(abs(curve[patch.code - 64][1] - expected) < 1.1 / 876, "\(patch)")
      #expect(Set(curve[patch.code - 64]).count == 1)
    }
    let hlg = try read(make(["--input-transfer", "hlg", "--to", "hlg", "--nodes", "3"], scratch))
    #expect((hlg.color(1, 1, 1) - SIMD3(repeating: 0.5)).max().magnitude < 1e-4)
  }

  /// ffmpeg's reading of the two files gives what numpy's reader finds in the combined one.
  @Test func shaper() throws {
    let scratch = try Scratch()
    let combined = try read(make(["--shaper", "combined", "--nodes", "17"], scratch))
    #expect(combined.curve.count == 1024 && combined.size == 17)
    let path = try make(["--shaper", "split", "--nodes", "17"], scratch)
    let shaper = scratch.path("table.shaper.cube")
    #expect(try read(shaper).curve == combined.curve && read(path).cube == combined.cube)
    let end = Double(combined.curve.firstIndex { $0[0] > 14.999_999 / 16 } ?? 0) / 1023
    // PQ of 1000 cd/m² is 0.7518.
    #expect(end > 0.7518 && end < 0.7529)
    let node = { (index: Int) in index == 16 ? 1 : end * Double(index) / 15 }
    let nodes = [(3, 5, 7), (16, 0, 4), (12, 12, 12), (15, 15, 15), (16, 16, 16)]
    let colors = nodes.map { SIMD3(node($0.0), node($0.1), node($0.2)) }
    let results = try ffmpeg(colors, "lut1d=\(shaper),lut3d=\(path)", scratch)
    for ((red, green, blue), result) in zip(nodes, results) {
      let difference = combined.color(red, green, blue) - result
      #expect(max(difference.max(), -difference.min()) < 1e-3)
    }
  }

  /// The input's peak is used for the table and its description; the option takes precedence.
  @Test func inputAndDescription() throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", MeasureTests.pq)
    func described(_ arguments: [String]) throws -> [String: Any] {
      let result = try Command.run(
        ["lut", input, "-o", scratch.path("t.cube"), "--overwrite", "--json", "--nodes", "5"] + arguments)
      #expect(result.status == 0, "\(result.messages)")
      #expect(result.messages.contains("trilinear: ΔE ITP over 68921 colours mean"))
      return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }
    let plain = try described([])
    #expect(plain["content_peak_nits"] as? Double == 1000 && plain["tone_map"] as? String == "system")
    let bright = try described(["--content-peak", "4000", "--tone-map", "bt2390", "--to", "hlg"])
    #expect(bright["content_peak_nits"] as? Double == 4000 && bright["tone_map"] as? String == "bt2390")
    #expect(bright["target_transfer"] as? String == "hlg")
    let entries = try #require(plain["delta_e_itp"] as? [[String: Any]])
    #expect(entries.compactMap { $0["interpolation"] as? String } == ["trilinear", "tetrahedral"])
    let text = try String(contentsOfFile: scratch.path("t.cube"), encoding: .ascii)
    let title = "HDR10 bt2020, peak 4000 cd/m2 -> HLG for 1000 cd/m2; tone map bt2390, gamut perceptual"
    #expect(text.hasPrefix("TITLE \"\(title)\"\n#"))
  }

  @Test func standardOutput() throws {
    let scratch = try Scratch()
    let path = try make(["--nodes", "4"], scratch)
    let result = try Command.program(["lut", "-o", "-", "--nodes", "4", "-q"])
    #expect(result.status == 0 && result.messages.isEmpty)
    #expect(try result.output == String(contentsOfFile: path, encoding: .ascii))
  }

  @Test func refusals() throws {
    let scratch = try Scratch()
    let (input, out) = (try scratch.clip("in.mkv", MeasureTests.pq), scratch.path("out.cube"))
    try Data("kept".utf8).write(to: URL(fileURLWithPath: scratch.path("kept.cube")))
    try Data("kept".utf8).write(to: URL(fileURLWithPath: scratch.path("x.shaper.cube")))
    let before = Set(scratch.contents)
    let cases: [(Int32, String, [String])] = [
      (2, "lower case", ["-o", scratch.path("out.CUBE")]), (2, "lower case", ["-o", scratch.path("out.txt")]),
      (2, "2 to 129", ["-o", out, "--nodes", "1"]), (2, "2 to 129", ["-o", out, "--size", "130"]),
      (2, "2 to 65536", ["-o", out, "--nodes", "65537", "--dimensions", "1"]),
      (2, "--dimensions", ["-o", out, "--dimensions", "2"]),
      (2, "--shaper", ["-o", out, "--dimensions", "1", "--shaper", "split"]),
      (2, "--shaper", ["-o", out, "--input-transfer", "hlg", "--shaper", "combined"]),
      (2, "--shaper", ["-o", out, "--content-peak", "10000", "--shaper", "combined"]),
      (2, "--shaper", ["-o", "-", "--shaper", "split"]), (2, "--json", ["-o", "-", "--json"]),
      (2, "80 to 10000", ["-o", out, "--content-peak", "50"]),
      (2, "for PQ", ["-o", out, "--content-peak", "500", "--input-transfer", "hlg"]),
      (2, "shot to shot", ["-o", out, "--tone-map", "st2094-40"]), (2, "--no-dither", ["-o", out, "--no-dither"]),
      (2, "--output", []), (1, "missing.mkv", [scratch.path("missing.mkv"), "-o", out]),
      (1, "--overwrite", [input, "-o", scratch.path("kept.cube")]),
      (1, "--overwrite", ["-o", scratch.path("x.cube"), "--shaper", "split"]),
      (1, "does not exist", ["-o", scratch.path("no/x.cube")]), (2, "not a file", ["-o", "http://x/y.cube"]),
    ]
    for (status, says, arguments) in cases {
      let result = try Command.run(["lut"] + arguments)
      #expect(result.status == status && result.messages.contains(says), "\(arguments): \(result.messages)")
      #expect(result.output.isEmpty && Set(scratch.contents) == before)
    }
    #expect(try String(contentsOfFile: scratch.path("kept.cube"), encoding: .utf8) == "kept")
  }
}
