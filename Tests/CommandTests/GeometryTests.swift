import Foundation
import TestSupport
import Testing

/// Turned, scaled and interlaced pictures.
@Suite struct GeometryTests {
  private static let pq = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
  private static let exact = ["-c:v", "ffv1", "--pixel-format", "yuv444p10le", "-q"]

  private func transcode(_ arguments: [String]) throws -> Command.Result {
    let result = try Command.run(["transcode"] + arguments)
    #expect(result.status == 0, "\(result.messages)")
    return result
  }

  /// The decoded samples, turned by ffmpeg where the container says so.
  private func samples(_ path: String, _ arguments: [String] = []) throws -> Data {
    try Tool.ffmpeg.run(
      (path.hasSuffix(".mov") ? ["-ignore_editlist", "1"] : []) + ["-i", path] + arguments + ["-f", "rawvideo", "-"])
  }

  /// A clip whose track header holds a display matrix.
  private func turnedClip(_ scratch: Scratch, _ matrix: (Int32, Int32, Int32, Int32)) throws -> String {
    let path = try scratch.clip(
      "in.mov", size: "74x42", frames: 2, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-vf", "setsar=4/3"] + Self.pq)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let header = try #require(data.range(of: Data("tkhd".utf8)))
    // ISO/IEC 14496-12, 8.3.2, version 0: forty bytes from the version to the matrix.
    for (index, value) in [matrix.0, matrix.1, 0, matrix.2, matrix.3].enumerated() {
      let place = header.upperBound + 40 + 4 * index
      data.replaceSubrange(place..<place + 4, with: bigEndian(value))
    }
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  private func bigEndian(_ value: Int32) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
  }

  static let one: Int32 = 0x10000
  static let matrices: [(Int32, Int32, Int32, Int32)] = [
    (one, 0, 0, one), (-one, 0, 0, one), (one, 0, 0, -one), (-one, 0, 0, -one), (0, one, one, 0), (0, -one, one, 0),
    (0, one, -one, 0), (0, -one, -one, 0),
  ]

  @Test(arguments: matrices.indices)
  func bakedIsWhatPlayersShow(_ index: Int) throws {
    let scratch = try Scratch()
    let source = try turnedClip(scratch, Self.matrices[index])
    let (plain, baked) = (scratch.path("plain.mov"), scratch.path("baked.mov"))
    _ = try transcode([source, "-o", plain] + Self.exact)
    _ = try transcode([source, "-o", baked, "--bake-rotation"] + Self.exact)
    #expect(try samples(baked) == samples(plain))
    let stream = try #require(try Probe(baked, ["-show_streams"]).streams?.first)
    let isTurned = Self.matrices[index].0 == 0
    #expect(stream.width == (isTurned ? 42 : 74) && stream.height == (isTurned ? 74 : 42))
    #expect(stream.sample_aspect_ratio == (isTurned ? "3:4" : "4:3"))
    #expect(stream.side_data_list?.first("Display Matrix") == nil)
  }

  @Test func otherAnglesAreRefused() throws {
    let scratch = try Scratch()
    let source = try turnedClip(scratch, (46341, 46341, -46341, 46341))
    let result = try Command.run(["transcode", source, "-o", scratch.path("out.mov"), "--bake-rotation"] + Self.exact)
    #expect(result.status == 1)
    #expect(result.messages.contains("--bake-rotation") && result.messages.contains("45"), "\(result.messages)")
    #expect(scratch.contents == ["in.mov"])
  }

  @Test(arguments: Clip.decodable.filter { $0.file.contains("_rot") })
  func clipsOfPhones(_ clip: Clip) throws {
    let scratch = try Scratch()
    let (plain, baked) = (scratch.path("plain.mov"), scratch.path("baked.mov"))
    _ = try transcode([clip.path, "-o", plain, "--frames", "0"] + Self.exact)
    _ = try transcode([clip.path, "-o", baked, "--frames", "0", "--bake-rotation"] + Self.exact)
    let expected = try samples(plain)
    #expect(!expected.isEmpty)
    #expect(try samples(baked) == expected)
  }

  @Test func scaleAndShape() throws {
    let scratch = try Scratch()
    let source = try turnedClip(scratch, (0, Self.one, -Self.one, 0))
    for (scale, size, aspect) in [
      ("148x-2", (148, 84), "4:3"), ("-1x21", (37, 21), "4:3"), ("64x64", (64, 64), "148:63"),
    ] {
      let output = scratch.path(scale + ".mov")
      _ = try transcode([source, "-o", output, "--scale", scale] + Self.exact)
      let stream = try #require(try Probe(output, ["-show_streams"]).streams?.first)
      #expect(stream.width == size.0 && stream.height == size.1 && stream.sample_aspect_ratio == aspect)
      #expect(stream.side_data_list?.first("Display Matrix") != nil)
    }
    // The size is that of the output.
    let output = scratch.path("both.mov")
    _ = try transcode([source, "-o", output, "--scale", "21x-1", "--bake-rotation"] + Self.exact)
    let stream = try #require(try Probe(output, ["-show_streams"]).streams?.first)
    #expect(stream.width == 21 && stream.height == 37 && stream.sample_aspect_ratio == "3:4")
  }

  /// Two fields of one colour each: `format` at 25 frames a second.
  private func interlacedClip(_ scratch: Scratch, _ order: String) throws -> String {
    let path = scratch.path("in.mkv")
    let (red, green) = (color("0x903030"), color("0x309030"))
    try Tool.ffmpeg.run(
      ["-f", "lavfi", "-i", red, "-f", "lavfi", "-i", green, "-filter_complex"]
        + [
          "[0]setpts=2*N/50/TB,settb=1/50[a];[1]setpts=(2*N+1)/50/TB,settb=1/50[b];"
            + "[a][b]interleave,tinterlace=interleave_\(order)"
        ] + ["-frames:v", "4", "-flags", "+ildct+ilme", "-c:v", "libx264", "-qp", "0", "-r", "25"] + Self.pq
        + ["-y", path])
    return path
  }

  private func color(_ name: String) -> String { "color=\(name):s=64x48:r=25,format=yuv420p10le" }

  @Test(arguments: ["top", "bottom"])
  func fieldsDoNotMix(_ order: String) throws {
    let scratch = try Scratch()
    let source = try interlacedClip(scratch, order)
    let output = scratch.path("out.mkv")
    _ = try transcode([source, "-o", output, "-c:v", "ffv1", "--pixel-format", "yuv420p10le", "--scale", "32x-2"])
    // Each colour by itself, progressive.
    let whole = try ["0x903030", "0x309030"].map { name in
      let (plain, result) = (scratch.path("c.mkv"), scratch.path("d.mkv"))
      try Tool.ffmpeg.run(
        ["-f", "lavfi", "-i", color(name), "-frames:v", "1", "-c:v", "ffv1"] + Self.pq + ["-y", plain])
      _ = try transcode(
        [plain, "-o", result, "-c:v", "ffv1", "--pixel-format", "yuv420p10le", "--scale", "32x-2", "-q", "--overwrite"])
      return try samples(result).words
    }
    let mixed = try samples(output, ["-frames:v", "1"]).words
    #expect(whole[0] != whole[1] && mixed.count == whole[0].count)
    // The first picture is the field that comes first.
    let even = order == "top" ? 0 : 1
    var start = 0
    for (width, height) in [(32, 24), (16, 12), (16, 12)] {
      for y in 0..<height {
        let range = start + y * width..<start + (y + 1) * width
        #expect(mixed[range] == whole[(y + even) % 2][range], "row \(y)")
      }
      start += width * height
    }
    let frame = try #require(try Probe(output, ["-show_frames"]).frames?.first)
    #expect(frame.interlaced_frame == 1 && frame.top_field_first == (order == "top" ? 1 : 0))
  }

  @Test func whatIsSaidOfFields() throws {
    let scratch = try Scratch()
    let source = try interlacedClip(scratch, "top")
    let (hevc, avc) = (scratch.path("a.mp4"), scratch.path("b.mp4"))
    #expect(try transcode([source, "-o", hevc, "-c:v", "libx265"]).messages.contains("libx265 cannot signal"))
    let quiet = try transcode([source, "-o", avc, "-c:v", "libx264"])
    #expect(!quiet.messages.contains("warning") && quiet.messages.contains("each field"), "\(quiet.messages)")
    // A quarter turn would make columns of the fields.
    let turned = scratch.path("turned.mov")
    try Tool.ffmpeg.run(["-i", source, "-c", "copy", "-metadata:s:v", "rotate=90", "-y", turned])
    let refused = try Command.run(["transcode", turned, "-o", scratch.path("c.mp4"), "--bake-rotation"])
    #expect(refused.status == 1 && refused.messages.contains("Interlaced pictures cannot be rotated"))
  }

  @Test(arguments: ["yuv420p12le", "yuv422p12le", "yuv444p12le"])
  func twelveBit(_ format: String) throws {
    let scratch = try Scratch()
    let source = try scratch.clip("in.mkv", frames: 2, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"] + Self.pq)
    let common = [source, "--to", "hdr10", "--pixel-format", format, "-q"]
    for name in ["a.mkv", "b.y4m", "c.mp4"] {
      let encoder =
        name == "a.mkv" ? ["-c:v", "ffv1"] : name == "c.mp4" ? ["-c:v", "libx265", "--preset", "ultrafast"] : []
      _ = try transcode(common + ["-o", scratch.path(name)] + encoder)
      #expect(try Probe(scratch.path(name), ["-show_streams"]).streams?.first?.pix_fmt == format)
    }
    #expect(try samples(scratch.path("a.mkv")) == samples(scratch.path("b.y4m")))
  }

  private func planes(_ path: String, _ filter: String) throws -> [UInt16] {
    let data = try Tool.ffmpeg.run(["-i", path, "-vf", filter, "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-"])
    return stride(from: 0, to: data.count - 1, by: 2).map { UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8 }
  }

  /// A border leaves the picture as it is. FFmpeg's own pad is grey by two codes in ten bits, so luma is compared with it.
  @Test(arguments: [
    ("128:96", "128:96:27:27", 0), ("128:96:4:2", "128:96:4:2", 0), ("128:96:4:2:white", "128:96:4:2", 203),
  ])
  func borders(_ pad: String, _ place: String, _ light: Int) throws {
    let scratch = try Scratch()
    let source = try scratch.clip(
      "in.mkv", size: "74x42", frames: 2, ["-pix_fmt", "yuv444p10le", "-c:v", "ffv1"] + Self.pq)
    let result = scratch.path("out.mkv")
    _ = try transcode([source, "-o", result, "--to", "hdr10", "--pad", pad] + Self.exact)
    let black = try planes(source, "pad=\(place)")
    let made = try planes(result, "null")
    let (area, x, y) = (128 * 96, pad == "128:96" ? 27 : 4, pad == "128:96" ? 27 : 2)
    #expect(made.count == black.count)
    var border = Set<UInt16>()
    for row in 0..<96 {
      for column in 0..<128 {
        let index = row * 128 + column
        if x..<x + 74 ~= column, y..<y + 42 ~= row {
          for plane in 0..<3 { #expect(made[plane * area + index] == black[plane * area + index]) }
        } else {
          border.insert(made[index])
          #expect(made[area + index] == 512 && made[2 * area + index] == 512)
        }
      }
    }
    // 203 cd/m² is 58.06 % of PQ (BT.2408): code 573.
    #expect(border.count == 1 && border.first == (light == 0 ? 64 : 573), "\(border)")
  }

  /// Pads are of the picture as it is shown, and the sample aspect ratio is that of the output.
  @Test func bordersOfTurnedPictures() throws {
    let scratch = try Scratch()
    let source = try turnedClip(scratch, Self.matrices[6])
    let (plain, padded) = (scratch.path("plain.mkv"), scratch.path("padded.mkv"))
    _ = try transcode([source, "-o", plain, "--bake-rotation"] + Self.exact)
    _ = try transcode(
      [source, "-o", padded, "--bake-rotation", "--pad", "64:96:10:4", "--sample-aspect", "64:45"] + Self.exact)
    // Chroma of the first columns and rows is interpolated with that of the border.
    #expect(try samples(padded, ["-vf", "crop=38:70:12:6"]) == samples(plain, ["-vf", "crop=38:70:2:2"]))
    let stream = try #require(try Probe(padded, ["-show_streams"]).streams?.first)
    #expect(stream.width == 64 && stream.height == 96 && stream.sample_aspect_ratio == "64:45")
  }

  @Test func impossibleBorders() throws {
    let scratch = try Scratch()
    let source = try scratch.clip(
      "in.mkv", size: "74x42", frames: 1, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"] + Self.pq)
    for (pad, part) in [
      ("72:96", "--pad 72:96 does not have room for the 74x42 picture"), ("128:96:60:0", "does not have room"),
      ("128:96:1:0", "X has to be a multiple of 2"), ("8:8", "--pad takes 16x16 to 16384x16384, not 8x8"),
    ] {
      let result = try Command.run(["transcode", source, "-o", scratch.path("a.mkv"), "--pad", pad])
      #expect(result.status == 2 && result.messages.contains(part), "\(result.messages)")
    }
  }
}
