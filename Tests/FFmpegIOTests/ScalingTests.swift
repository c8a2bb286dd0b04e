import ColorScience
import FFmpegIO
import Foundation
import Frames
internal import Media
import TestSupport
import Testing

/// Frames that are scaled while they are read.
@Suite struct ScalingTests {
  static let pq = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]

  private func samples(_ frame: CodedFrame, plane: Int) -> [Int] {
    let extent = frame.layout.planeSize(plane, of: frame.size)
    return (0..<extent.height).flatMap { y in
      (0..<extent.width).map { frame.sample(plane: plane, x: $0, y: y) }
    }
  }

  struct Case: Sendable, CustomStringConvertible {
    let format: String
    let site: String
    /// Of ffmpeg's filter: where chroma lies, in 256ths of a luma sample.
    let position: (x: Int, y: Int)
    let size: (Int, Int)
    var planar: String? = nil
    var description: String { "\(format) \(site) \(size)" }
  }

  static let cases = [
    Case(format: "yuv420p10le", site: "left", position: (0, 128), size: (64, 48)),
    Case(format: "yuv420p10le", site: "topleft", position: (0, 0), size: (200, 150)),
    Case(format: "yuv420p12le", site: "center", position: (128, 128), size: (97, 41)),
    Case(format: "yuv422p10le", site: "left", position: (0, 0), size: (80, 130)),
    Case(format: "yuv420p", site: "topleft", position: (0, 0), size: (90, 60)),
    Case(format: "yuv444p12le", site: "left", position: (0, 0), size: (100, 50)),
    Case(format: "nv12", site: "left", position: (0, 128), size: (90, 60), planar: "yuv420p"),
  ]

  @Test(arguments: cases)
  func equalsFFmpegsFilter(_ test: Case) throws {
    let scratch = try Scratch()
    let isRaw = test.format == "nv12"
    let source = try scratch.clip(
      "a." + (isRaw ? "nut" : "mkv"), frames: 2,
      ["-pix_fmt", test.format, "-c:v", isRaw ? "rawvideo" : "ffv1", "-chroma_sample_location", test.site] + Self.pq)
    let (x, y) = test.position
    let filter =
      "scale=\(test.size.0):\(test.size.1):flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact:"
      + "in_h_chr_pos=\(x):out_h_chr_pos=\(x):in_v_chr_pos=\(y):out_v_chr_pos=\(y)"
    let raw = try Tool.ffmpeg.run(
      ["-i", source, "-vf", filter, "-pix_fmt", test.planar ?? test.format, "-f", "rawvideo", "-"])
    let reader = try MediaReader(url: source)
    reader.prepare(
      PicturePreparation(scaling: PictureScaling(width: .samples(test.size.0), height: .samples(test.size.1))))
    var values: [Int] = []
    while let frame = try reader.readFrame() {
      #expect(frame.size == Size(width: test.size.0, height: test.size.1) && frame.layout.packing == .planar)
      for plane in 0..<3 { values += samples(frame, plane: plane) }
    }
    let expected = test.format.hasSuffix("le") ? raw.words.map(Int.init) : raw.map(Int.init)
    #expect(values.count == expected.count)
    let largest = zip(values, expected).map { abs($0 - $1) }.max()
    #expect(largest == 0)
  }

  /// An even slope over the picture is the same slope afterwards, wherever chroma is sited.
  @Test(arguments: [("left", 0.0, 0.5), ("topleft", 0, 0), ("center", 0.5, 0.5), ("top", 0.5, 0)])
  func chromaKeepsItsPlace(_ site: String, _ offsetX: Double, _ offsetY: Double) throws {
    let scratch = try Scratch()
    let source = scratch.path("a.mkv")
    // Chroma sample (X, Y) lies at luma position (2X, 2Y) + offset.
    let chroma = "200+2*(2*X+\(offsetX))+(2*Y+\(offsetY))"
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i", "color=black:s=160x120,format=yuv420p10le,geq=lum=500:cb='\(chroma)':cr='\(chroma)'",
        "-frames:v", "1", "-c:v", "ffv1", "-chroma_sample_location", site, "-y", source,
      ] + Self.pq)
    for (width, height) in [(80, 60), (240, 90), (96, 200)] {
      let reader = try MediaReader(url: source)
      reader.prepare(PicturePreparation(scaling: PictureScaling(width: .samples(width), height: .samples(height))))
      let frame = try #require(try reader.readFrame())
      #expect(frame.color.chromaLocation.offset == SIMD2(offsetX, offsetY))
      for y in height / 8..<height / 8 * 3 {
        for x in width / 8..<width / 8 * 3 {
          let column = (2 * Double(x) + offsetX + 0.5) * 160 / Double(width) - 0.5
          let row = (2 * Double(y) + offsetY + 0.5) * 120 / Double(height) - 0.5
          let difference = Double(frame.sample(plane: 1, x: x, y: y)) - (200 + 2 * column + row)
          #expect(difference.magnitude <= 1.25, "\(width)x\(height) at \(x), \(y): \(difference)")
        }
      }
    }
  }

  @Test func componentsOfRGBAreScaledByThemselves() throws {
    let scratch = try Scratch()
    // Blue alone has a Y'CbCr that rounds.
    let source = scratch.path("a.mkv")
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i", "color=black:s=64x64,format=gbrp10le,geq=r=77:g=5:b=1019", "-frames:v", "1", "-c:v",
        "ffv1",
        "-y", source,
      ])
    let reader = try MediaReader(url: source)
    reader.prepare(PicturePreparation(scaling: PictureScaling(width: .samples(40), height: .samples(90))))
    let frame = try #require(try reader.readFrame())
    for (plane, code) in [5, 1019, 77].enumerated() {
      #expect(samples(frame, plane: plane).allSatisfy { $0 == code })
    }
  }

  /// Lines of one colour each: each field keeps its colour, at any height.
  @Test(arguments: ["yuv420p10le", "yuv422p10le"])
  func fieldsAreScaledApart(_ format: String) throws {
    let scratch = try Scratch()
    let source = scratch.path("a.mkv")
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i",
        "color=black:s=64x64:r=25,format=\(format),geq=lum='300+mod(Y,2)*300':cb='300+mod(Y,2)*300':cr=500",
        "-frames:v", "1", "-vf", "setfield=tff", "-flags", "+ildct", "-c:v", "ffv1", "-y", source,
      ])
    for height in [32, 100] {
      let reader = try MediaReader(url: source)
      reader.prepare(PicturePreparation(scaling: PictureScaling(width: .samples(48), height: .samples(height))))
      let frame = try #require(try reader.readFrame())
      #expect(frame.fieldOrder == .topFirst)
      for field in Field.allCases {
        for plane in 0..<2 {
          #expect(samples(frame.field(field), plane: plane).allSatisfy { $0 == (field == .top ? 300 : 600) })
        }
      }
    }
    let reader = try MediaReader(url: source)
    reader.prepare(PicturePreparation(scaling: PictureScaling(width: .samples(48), height: .samples(35))))
    let (whole, size) = (Size(width: 64, height: 64), Size(width: 48, height: 35))
    let multiple = format == "yuv420p10le" ? 4 : 2
    #expect(throws: FFmpegError.undividedFields(from: whole, to: size, multiple: multiple, path: source)) {
      try reader.readFrame()
    }
  }

  /// As the numbers of ffmpeg's `scale` and its sample aspect ratio.
  @Test func sizesAndShapes() throws {
    let scratch = try Scratch()
    let source = try scratch.clip("a.mkv", size: "300x170", frames: 1, ["-c:v", "ffv1"])
    let ratio2 = PictureScaling.Extent.ratio(multiple: 2)
    for (width, height, filter) in [
      (PictureScaling.Extent.samples(101), ratio2, "101:-2"), (ratio2, .samples(77), "-2:77"),
      (.samples(640), .ratio(multiple: 1), "640:-1"), (.ratio(multiple: 1), .samples(33), "-1:33"),
      (.samples(200), .samples(200), "200:200"),
    ] {
      for aspect in [nil, Rational(16, 15)] {
        let scaling = try #require(PictureScaling(width: width, height: height))
        let reader = try MediaReader(url: source)
        reader.prepare(PicturePreparation(scaling: scaling))
        let size = try #require(try reader.readFrame()).size
        let output = scratch.path("b.mkv")
        let shape = "setsar=\(aspect ?? Rational(1, 1))"
        try Tool.ffmpeg.run(["-i", source, "-vf", "\(shape),scale=\(filter)", "-c:v", "ffv1", "-y", output])
        let expected = try MediaReader(url: output).video
        #expect(size == expected.size)
        let ratio = scaling.sampleAspectRatio(aspect, of: Size(width: 300, height: 170))
        if let ratio { #expect(abs(ratio.value / (expected.sampleAspectRatio?.value ?? 1) - 1) < 1e-3) }
        #expect(ratio == nil ? aspect == nil && filter.contains("-") : true)
      }
    }
  }

  @Test func sizesThatCannotBe() throws {
    #expect(PictureScaling(width: .samples(15), height: .samples(100)) == nil)
    #expect(PictureScaling(width: .samples(100), height: .samples(16_385)) == nil)
    #expect(PictureScaling(width: .ratio(multiple: 2), height: .ratio(multiple: 2)) == nil)
    let scratch = try Scratch()
    let source = try scratch.clip("a.mkv", size: "320x64", frames: 1, ["-c:v", "ffv1"])
    let reader = try MediaReader(url: source)
    reader.prepare(PicturePreparation(scaling: PictureScaling(width: .samples(32), height: .ratio(multiple: 2))))
    let sizes = (Size(width: 320, height: 64), Size(width: 32, height: 6))
    #expect(throws: FFmpegError.unsupportedScale(from: sizes.0, to: sizes.1, path: source)) { try reader.readFrame() }
  }
}
