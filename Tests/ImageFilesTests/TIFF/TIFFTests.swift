import ColorScience
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct TIFFTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func noise(_ size: Size, bitDepth: Int, _ space: ImageSpace) -> CodedFrame {
    let frame = CodedFrame(size: size, layout: PixelLayout(.rgb, bitDepth: bitDepth), color: space.color)
    var state: UInt64 = 3
    for plane in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          frame.setSample(Int(state >> 40) & (1 << bitDepth - 1), plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }

  private func write(_ frame: CodedFrame) throws -> String {
    let path = scratch.path("a.tif")
    try Data(TIFFEncoder().encode(frame)).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func read(_ builder: TIFFBuilder) throws -> StillImage {
    let path = scratch.path("b.tif")
    try builder.data().write(to: URL(fileURLWithPath: path))
    return try TIFFReader.read(path)
  }

  /// More rows than a strip has.
  @Test(arguments: [(8, "rgb24"), (16, "rgb48le")]) func ffmpegReadsIntegers(_ bitDepth: Int, _ format: String) throws {
    let frame = noise(Size(width: 501, height: 230), bitDepth: bitDepth, .displayP3)
    let decoded = try Tool.ffmpeg.run(["-i", try write(frame), "-f", "rawvideo", "-pix_fmt", format, "-"])
    let (red, green, blue) = (frame.samples(2), frame.samples(0), frame.samples(1))
    let expected = red.indices.flatMap { [red[$0], green[$0], blue[$0]] }
    #expect(difference(bitDepth == 8 ? decoded.map { Int($0) } : decoded.words.map { Int($0) }, expected) == nil)
  }

  @Test(arguments: [8, 16]) func integersAreReadAsTheyWereWritten(_ bitDepth: Int) throws {
    let frame = noise(Size(width: 501, height: 230), bitDepth: bitDepth, .bt2100PQ)
    let image = try TIFFReader.read(try write(frame))
    for plane in 0..<3 { #expect(difference(image.frame.samples(plane), frame.samples(plane)) == nil) }
    #expect(image.frame.format == frame.format)
    #expect(image.notes.isEmpty)
  }

  @Test func lightIsReadAsItWasWritten() throws {
    let frame = HalfFrames.anyBits(Size(width: 301, height: 130), primaries: .displayP3, linearUnit: 203)
    let image = try TIFFReader.read(try write(frame))
    for plane in 0..<3 { #expect(difference(image.frame.samples(plane), frame.samples(plane)) == nil) }
    #expect(image.frame.color == ImageSpace.linearP3.color)
    #expect(image.frame.metadata.linearUnit == 203)
  }

  @Test(arguments: ["raw", "packbits", "lzw", "deflate"], ["rgb24", "rgb48le", "gray", "gray16le"])
  func filesOfFFmpegAreRead(_ compression: String, _ format: String) throws {
    let path = scratch.path("c.tif")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=75x61", "-frames:v", "1", "-pix_fmt", format, "-compression_algo",
      compression, path,
    ])
    let decoded = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"])
    let values = format.hasSuffix("le") ? decoded.words.map { Int($0) } : decoded.map { Int($0) }
    let step = format.hasPrefix("rgb") ? 3 : 1
    let image = try TIFFReader.read(path)
    for (plane, component) in [(0, 1), (1, 2), (2, 0)] {
      let expected = stride(from: step == 3 ? component : 0, to: values.count, by: step).map { values[$0] }
      #expect(difference(image.frame.samples(plane), expected) == nil)
    }
    #expect(image.frame.color == ImageSpace.sRGB.color)
  }

  @Test(arguments: [nil, 16], [false, true])
  func stripsTilesAndPlanesAreRead(_ tile: Int?, _ isPlanar: Bool) throws {
    let size = Size(width: 21, height: 19)
    func value(_ component: Int, _ x: Int, _ y: Int) -> Int { 10_000 * component + 100 * y + x }
    let cases: [(bits: Int, format: Int, encode: (Int) -> UInt32, decode: (Int) -> Double)] = [
      (8, 1, { UInt32($0 & 255) }, { Double($0 & 255) }), (16, 1, { UInt32($0) }, { Double($0) }),
      (16, 3, { UInt32(Float16($0).bitPattern) }, { Double(Float16($0)) }),
      (32, 3, { Float($0).bitPattern }, { Double(Float16($0)) }),
    ]
    for (bits, format, encode, decode) in cases {
      let image = try read(
        TIFFBuilder(
          width: size.width, height: size.height, samplesPerPixel: 4, bits: bits, format: format, isPlanar: isPlanar,
          tile: tile, fields: [338: [0]]
        ) { encode(value($0, $1, $2)) })
      for (plane, component) in [(0, 1), (1, 2), (2, 0)] {
        let expected = (0..<size.height).flatMap { y in
          (0..<size.width).map { decode(value(component, $0, y)) }
        }
        let found = format == 3 ? image.frame.light(plane) : image.frame.samples(plane).map { Double($0) }
        #expect(difference(found, expected) == nil)
      }
      #expect(image.notes == ["Its extra samples are not used."])
    }
  }

  @Test func greyIsInvertedAndFloatsAreNumbers() throws {
    let grey = TIFFBuilder(width: 2, height: 1, samplesPerPixel: 1, bits: 8, photometric: 0) { _, x, _ in UInt32(x) }
    #expect(try read(grey).frame.samples(1) == [255, 254])
    let values: [Float] = [.nan, .infinity, -.infinity, -0.25]
    let floats = TIFFBuilder(width: 4, height: 1, samplesPerPixel: 3, bits: 32, format: 3) { _, x, _ in
      values[x].bitPattern
    }
    #expect(try read(floats).frame.light(0) == [0, 65_504, -65_504, -0.25])
  }

  @Test func whatIsNotShownIsNoted() throws {
    let alpha = TIFFBuilder(width: 2, height: 1, samplesPerPixel: 4, bits: 8, fields: [338: [2]]) { _, _, _ in 1 }
    #expect(try read(alpha).composited().notes == ["Its alpha (straight) is composited over black in linear light."])
    let other = TIFFBuilder(width: 2, height: 1, samplesPerPixel: 4, bits: 8, fields: [338: [0]]) { _, _, _ in 1 }
    #expect(try read(other).notes == ["Its extra samples are not used."])
    let turned = TIFFBuilder(width: 2, height: 1, samplesPerPixel: 3, bits: 8, fields: [274: [6]]) { _, _, _ in 1 }
    #expect(try read(turned).orientation == .clockwise)
  }

  /// A profile that says by code points which transfer function it is. Source: ICC.1:2022, 7.2, 7.3 and 10.3.
  private func profile(transfer: Int) -> [Int] {
    var header = [Int](repeating: 0, count: 128)
    header.replaceSubrange(16..<24, with: "RGB XYZ ".utf8.map { Int($0) })
    header.replaceSubrange(36..<40, with: "acsp".utf8.map { Int($0) })
    let tag = "cicp".utf8.map { Int($0) }
    return header + [0, 0, 0, 1] + tag + [0, 0, 0, 144, 0, 0, 0, 12] + tag + [0, 0, 0, 0, 12, transfer, 0, 1]
  }

  /// Light by IEC 61966-2-1 and by a power, by hand.
  @Test(arguments: [
    (13, [-0.214041, 0.214041, 1, 4.953813]), (4, [-0.217638, 0.217638, 1, 4.594793]), (18, [-0.5, 0.5, 1, 2]),
  ])
  func floatsOfASignalBecomeLight(_ transfer: Int, _ light: [Double]) throws {
    let signal: [Float] = [-0.5, 0.5, 1, 2]
    let builder = TIFFBuilder(
      width: 4, height: 1, samplesPerPixel: 3, bits: 32, format: 3, fields: [34_675: profile(transfer: transfer)]
    ) { _, x, _ in signal[x].bitPattern }
    let path = scratch.path("signal.tif")
    try builder.data().write(to: URL(fileURLWithPath: path))
    let reader = try #require(try StillReader(path: path))
    let frame = try #require(try reader.readFrame())
    #expect(frame.color == ImageSpace.linearP3.color)
    for plane in 0..<3 {
      for (found, expected) in zip(frame.light(plane), light) { #expect(abs(found - expected) < 0.001 * abs(expected)) }
    }
    #expect(reader.notes.count == (transfer == 18 ? 1 : 0))
  }

  /// Strips that a file of this size cannot hold, and sides that frames would pad.
  @Test func hugeBlocksAreRefused() throws {
    for (width, height) in [(16_384, 16_384), (1, 70_000)] {
      let small = TIFFBuilder(width: 2, height: 1, samplesPerPixel: 3, bits: 8, rowsPerStrip: 1) { _, _, _ in 1 }
      var bytes = [UInt8](small.data())
      // Entries of the directory: tag, type, count, value.
      let directory = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
      func set(_ tag: Int, _ value: Int) {
        for entry in stride(from: directory + 2, to: bytes.count - 12, by: 12)
        where Int(bytes[entry]) << 8 | Int(bytes[entry + 1]) == tag {
          bytes.replaceSubrange(
            entry + 2..<entry + 12,
            with: [0, 4, 0, 0, 0, 1] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
          return
        }
      }
      for (tag, value) in [(256, width), (257, height), (259, 5), (278, height)] { set(tag, value) }
      let path = scratch.path("huge.tif")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: ImageFileError.self) { try TIFFReader.read(path) }
      guard case .unsupported = try #require(error) else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func othersAreRefused() throws {
    let palette = TIFFBuilder(
      width: 2, height: 1, samplesPerPixel: 1, bits: 8, photometric: 3, fields: [320: Array(repeating: 0, count: 768)]
    ) { _, _, _ in
      1
    }
    let signed = TIFFBuilder(width: 2, height: 1, samplesPerPixel: 3, bits: 16, format: 2) { _, _, _ in 1 }
    for builder in [palette, signed] {
      let error = #expect(throws: ImageFileError.self) { try read(builder) }
      guard case .unsupported = try #require(error) else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(throws: ImageFileError.self) { try TIFFReader.read(scratch.path("missing.tif")) }
  }

  @Test func damageIsAnErrorAndNeverMore() throws {
    let path = scratch.path("d.tif")
    let tiles = TIFFBuilder(width: 40, height: 20, samplesPerPixel: 3, bits: 16, isPlanar: true, tile: 16) {
      UInt32($0 + $1 + $2)
    }
    let files = try [
      Data(TIFFEncoder().encode(noise(Size(width: 40, height: 30), bitDepth: 16, .sRGB))),
      Data(TIFFEncoder().encode(HalfFrames.slopes(Size(width: 40, height: 30)))), tiles.data(),
    ]
    var state: UInt64 = 9
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for file in files {
      // The directory is at the end, before the values that do not fit into it.
      for length in stride(from: 0, to: file.count - 200, by: file.count / 20) {
        try file.prefix(length).write(to: URL(fileURLWithPath: path))
        #expect(throws: ImageFileError.self) { try TIFFReader.read(path) }
      }
      for _ in 0..<60 {
        var damaged = file
        for _ in 0...random(3) {
          damaged[random(2) == 0 ? file.count - 1 - random(260) : random(file.count)] = UInt8(random(256))
        }
        try damaged.write(to: URL(fileURLWithPath: path))
        if let image = try? TIFFReader.read(path) { #expect(image.frame.size.width > 0) }
      }
    }
  }
}
