import Foundation
import TestSupport
import Testing

/// Patterns as pictures: the same levels in every format, as other programs read them.
@Suite struct PatternPicturesTests {
  /// The window's middle and a corner, as 16-bit R'G'B' codes of a PNG that ffmpeg decodes.
  private func codes(_ path: String, size: (Int, Int)) throws -> (middle: [Int], corner: [Int]) {
    let data = [UInt8](
      try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"]))
    func pixel(_ x: Int, _ y: Int) -> [Int] {
      (0..<3).map { Int(data[6 * (y * size.0 + x) + 2 * $0]) | Int(data[6 * (y * size.0 + x) + 2 * $0 + 1]) << 8 }
    }
    return (pixel(size.0 / 2, size.1 / 2), pixel(size.0 - 1, size.1 - 1))
  }

  @Test(arguments: [("hdr10", 49271), ("hlg", 65535), ("sdr", 65535)])
  func pngHasTheCodes(_ kind: String, _ code: Int) throws {
    let scratch = try Scratch()
    let path = scratch.path("window.png")
    let nits = kind == "sdr" ? 100 : 1000
    let result = try Command.run([
      "pattern", "window=percent=10:nits=\(nits)", "--to", kind, "-o", path, "--size", "321x201", "-q",
    ])
    #expect(result.status == 0, "\(result.messages)")
    let found = try codes(path, size: (321, 201))
    // 1000 cd/m² is PQ 0.751827 (BT.2100), the peak of HLG and SDR their signal 1.
    #expect(found.middle == [code, code, code])
    #expect(found.corner == [0, 0, 0])
  }

  /// Light of the window in units of 100 cd/m², by Python from the bytes of the file.
  @Test func halfFloatsAreLight() throws {
    let scratch = try Scratch()
    let path = scratch.path("window.rgba16f")
    #expect(
      try Command.run([
        "pattern", "window=percent=10:nits=1000", "--to", "hdr10", "-o", path, "--size", "320x180", "-q",
      ]).status == 0)
    let output = try Python.run(
      """
      import sys, numpy as np
      v = np.fromfile(sys.argv[1], '<f2').reshape(180, 320, 4)
      print(*v[90, 160], *v[179, 319])
      """, [path])
    let values = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    #expect(values == [10, 10, 10, 1, 0, 0, 0, 1])
    #expect(FileManager.default.fileExists(atPath: path + ".json"))
  }

  @Test func scalesAreFilesOfTheSameLayout() throws {
    let scratch = try Scratch()
    let path = scratch.path("grid.png")
    let result = try Command.run([
      "pattern", "checkerboard", "--to", "sdr", "-o", path, "--size", "160x90", "--point-scale", "1,2,3", "-q",
    ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(scratch.contents.sorted() == ["grid.png", "grid@2x.png", "grid@3x.png"])
    for (name, scale) in [("grid.png", 1), ("grid@2x.png", 2), ("grid@3x.png", 3)] {
      let stream = try #require(try Probe(scratch.path(name), ["-show_streams"]).streams?.first)
      #expect(stream.width == 160 * scale && stream.height == 90 * scale)
    }
  }

  /// Every format is written and read back as the pattern that it is.
  /// Pixels in an inch, by Python from the bytes of the file: points are 1/72 inch.
  @Test(arguments: ["png", "tif", "exr"], [1, 2, 3])
  func scalesSayTheirResolution(_ suffix: String, _ scale: Int) throws {
    let scratch = try Scratch()
    let path = scratch.path("ramp.\(suffix)")
    let result = try Command.run([
      "pattern", "ramp", "--to", "hdr10", "-o", path, "--size", "160x90", "--point-scale", "\(scale)", "-q",
    ])
    try #require(result.status == 0, "\(result.messages)")
    let said = try Python.run(
      """
      import struct, sys
      data = open(sys.argv[1], 'rb').read()
      if data[:4] == b'\\x89PNG':
          place = data.index(b'pHYs')
          assert place < data.index(b'IDAT')
          x, y, unit = struct.unpack('>IIB', data[place + 4:place + 13])
          assert unit == 1
          print(round(x * 0.0254), round(y * 0.0254))
      elif data[:2] == b'II':
          place = struct.unpack('<I', data[4:8])[0]
          count = struct.unpack('<H', data[place:place + 2])[0]
          tags = {}
          for index in range(count):
              tag, kind, number, value = struct.unpack('<HHII', data[place + 2 + 12 * index:place + 14 + 12 * index])
              tags[tag] = value
          def ratio(tag):
              above, below = struct.unpack('<II', data[tags[tag]:tags[tag] + 8])
              return round(above / below)
          assert tags[296] & 0xFFFF == 2
          print(ratio(282), ratio(283))
      else:
          place = data.index(b'xDensity\\0float\\0') + 15
          size, density = struct.unpack('<If', data[place:place + 8])
          assert size == 4
          print(round(density), round(density))
      """, [path])
    #expect(said == "\(72 * scale) \(72 * scale)\n")
  }

  @Test(arguments: ["exr", "png", "tif", "avif", "jxl", "y4m"])
  func formatsShowThePattern(_ suffix: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("steps.\(suffix)")
    let made = try Command.run(
      ["pattern", "steps", "--to", "hdr10", "-o", path, "--size", "960x540", "-q"]
        + (suffix == "y4m" ? ["--duration", "0.04"] : []))
    try #require(made.status == 0, "\(made.messages)")
    let told = suffix == "y4m" ? ["--input-transfer", "pq"] : []
    // What a format cannot say of its light is no matter here.
    let result = try Command.run(["verify", path, "--pattern", "steps", "--json"] + told)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let faults = (object["faults"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    #expect(faults.allSatisfy { $0.hasPrefix("metadata.") }, "\(faults) \(result.messages)")
    #expect((object["patches"] as? [Any])?.isEmpty == false)
  }
}
