import Bitstreams
import ColorScience
import FFmpegIO
import Foundation
import Frames
internal import Media
import TestSupport
import Testing

@Suite struct PNGColorTests {
  /// A picture made by ffmpeg, with chunks put after its header.
  private func file(_ scratch: Scratch, _ chunks: [PNGChunk], format: String = "rgb48be") throws -> String {
    let path = try scratch.clip("a.png", frames: 1, ["-pix_fmt", format])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let plain = try #require(PNGChunks(bytes))
    var result = PNGChunk.signature
    for place in plain where ["IHDR", "PLTE", "IDAT", "IEND"].contains(place.type) {
      result += bytes[place.whole]
      if place.type == "IHDR" { result += chunks.flatMap(\.bytes) }
    }
    try Data(result).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func color(_ chunks: [PNGChunk], format: String = "rgb48be") throws -> ColorDescription {
    let scratch = try Scratch()
    let frame = try MediaReader(url: file(scratch, chunks, format: format)).readFrame()
    return try #require(frame).color
  }

  /// A profile as iCCP has it: a name, a method, and zlib's stored block (RFC 1950 and 1951).
  private func profile(_ bytes: [UInt8]) -> PNGChunk {
    let length = UInt16(bytes.count)
    func little(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in bytes { (a, b) = ((a + UInt32(byte)) % 65_521, (b + a + UInt32(byte)) % 65_521) }
    return PNGChunk(
      "iCCP", [0x41, 0, 0, 0x78, 1, 1] + little(length) + little(~length) + bytes + ProfileBytes.word(b << 16 | a))
  }

  private let sRGB = PNGChunk("sRGB", [0])
  private let cICP = PNGChunk("cICP", [9, 16, 0, 1])
  private let gamma = PNGChunk("gAMA", ProfileBytes.word(45_455))
  /// Source: ITU-R BT.2020-2, table 3, in the order white, red, green, blue.
  private let chromaticities = PNGChunk(
    "cHRM",
    [31_270, 32_900, 70_800, 29_200, 17_000, 79_700, 13_100, 4_600].flatMap { ProfileBytes.word(UInt32($0)) })
  private let displayP3 = ProfileBytes(columns: ProfileBytes.displayP3, curve: ProfileBytes.sRGBCurve).bytes

  @Test func chunksAreReadInTheirOrder() throws {
    let pq = try color([gamma, chromaticities, sRGB, profile(displayP3), cICP])
    #expect((pq.primaries, pq.transfer, pq.matrix, pq.range) == (.bt2020, .pq, .rgb, .full))
    let p3 = try color([gamma, chromaticities, sRGB, profile(displayP3)])
    #expect((p3.primaries, p3.transfer) == (.displayP3, .sRGB))
    let standard = try color([gamma, chromaticities, sRGB])
    #expect((standard.primaries, standard.transfer) == (.bt709, .sRGB))
    let simple = try color([gamma, chromaticities])
    #expect((simple.primaries, simple.transfer) == (.bt2020, .gamma22))
    let none = try color([])
    #expect((none.primaries, none.transfer) == (.bt709, .sRGB))
  }

  @Test func narrowRangeIsSaid() throws {
    #expect(try color([PNGChunk("cICP", [1, 1, 0, 0])]).range == .narrow)
    #expect(try color([], format: "gray").range == .full)
  }

  @Test func lightIsRead() throws {
    let scratch = try Scratch()
    let display: [UInt8] =
      [35_400, 14_600, 8_500, 39_850, 6_550, 2_300, 15_635, 16_450].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      + ProfileBytes.word(10_000_000) + ProfileBytes.word(50)
    let light = ProfileBytes.word(9_990_001) + ProfileBytes.word(4_000_000)
    let reader = try MediaReader(
      url: file(scratch, [cICP, PNGChunk("mDCV", display), PNGChunk("cLLI", light)]))
    let metadata = try #require(try reader.readFrame()).metadata
    let found = try #require(metadata.masteringDisplay)
    #expect(found.red == .init(x: 35_400, y: 14_600))
    #expect(found.white == .init(x: 15_635, y: 16_450))
    #expect((found.maxNits, found.minNits) == (1000, 0.005))
    #expect(metadata.contentLight == ContentLight(maxCLL: 1000, maxFALL: 400))
    #expect(reader.video.metadata.contentLight == metadata.contentLight)
    #expect(reader.video.primariesName == "bt2020")
  }

  @Test func unknownProfilesAreReported() throws {
    let scratch = try Scratch()
    let adobe = ProfileBytes(columns: ProfileBytes.adobeRGB, curve: ProfileBytes.gamma(563), name: "Adobe RGB (1998)")
    let reader = try MediaReader(url: file(scratch, [profile(adobe.bytes), sRGB]))
    #expect(try reader.readFrame()?.color.primaries == .unspecified)
    #expect(reader.statistics.unrecognizedProfile == "Adobe RGB (1998)")
    let coded = try MediaReader(url: file(scratch, [profile(adobe.bytes), cICP]))
    _ = try coded.readFrame()
    #expect(coded.statistics.unrecognizedProfile == nil)
  }

  /// FFmpeg inflates what is compressed beside the pixels whole: 1.5 MB took 6 GB.
  @Test func longProfilesAreNotInflated() throws {
    let scratch = try Scratch()
    // Where a profile ends is not compared with its chunk, so FFmpeg would pass on Display P3.
    let long = profile(displayP3 + [UInt8](repeating: 0, count: 1 << 14))
    let path = try file(scratch, [PNGChunk("zTXt", long.data), long, gamma])
    let reader = try MediaReader(url: path)
    let frame = try #require(try reader.readFrame())
    #expect(frame.color.primaries == .unspecified && reader.statistics.unrecognizedProfile == "")
    let plain = try #require(try MediaReader(url: file(scratch, [])).readFrame())
    #expect((0..<64).allSatisfy { frame.sample(plane: 0, x: $0, y: $0) == plain.sample(plane: 0, x: $0, y: $0) })
  }

  @Test func sixteenBitAreKept() throws {
    let scratch = try Scratch()
    for format in ["rgb48be", "rgba64be"] {
      let path = try file(scratch, [cICP], format: format)
      let frame = try #require(try MediaReader(url: path).readFrame())
      #expect(frame.layout == PixelLayout(.rgb, bitDepth: 16))
      let raw = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"]).words
      let (width, height) = (frame.size.width, frame.size.height)
      let differing = (0..<width * height * 3).filter { index in
        let (pixel, component) = (index / 3, index % 3)
        return frame.sample(plane: [2, 0, 1][component], x: pixel % width, y: pixel / width) != Int(raw[index])
      }
      #expect(differing.isEmpty)
    }
  }

  /// Chunks that lie about their length, have a wrong checksum, or of which the file holds a part.
  @Test func damagedHeadersArePassedOver() throws {
    let scratch = try Scratch()
    let path = try file(scratch, [cICP, PNGChunk("mDCV", [1, 2, 3]), PNGChunk("cLLI", [])])
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(try MediaReader(url: path).readFrame()?.metadata.masteringDisplay == nil)
    for index in 8..<110 {
      var bytes = whole
      bytes[index] ^= 0xFF
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      _ = try? MediaReader(url: path)
      try Data(whole[..<index]).write(to: URL(fileURLWithPath: path))
      _ = try? MediaReader(url: path)
    }
    var wrong = whole
    // The checksum of cICP lies behind the header's 33 bytes, 8 of its own and 4 of data.
    wrong[33 + 12] ^= 1
    try Data(wrong).write(to: URL(fileURLWithPath: path))
    #expect(try MediaReader(url: path).video.color.primaries == nil)
  }
}
