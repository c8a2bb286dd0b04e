import ColorScience
import FFmpegIO
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct PNGEncoderTests {
  private func write(_ frame: CodedFrame, _ scratch: Scratch) throws -> String {
    let path = scratch.path("a.png")
    try Data(PNGEncoder().encode(frame)).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Types and data of the chunks as Python reads them, with its own checksum.
  private func chunks(_ path: String) throws -> [String] {
    let script = """
      import struct, sys, zlib
      data = open(sys.argv[1], 'rb').read()
      assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n'
      place = 8
      while place < len(data):
          size, = struct.unpack('>I', data[place:place + 4])
          body = data[place + 4:place + 8 + size]
          assert zlib.crc32(body) == struct.unpack('>I', data[place + 8 + size:place + 12 + size])[0]
          print(body[:4].decode() + ' ' + ('' if size > 32 else body[4:].hex()))
          place += 12 + size
      """
    let text = try Python.run(script, [path])
    return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test(arguments: [8, 16], [Size(width: 1, height: 1), Size(width: 67, height: 33)])
  func samplesAreKept(_ depth: Int, _ size: Size) throws {
    let scratch = try Scratch()
    let frame = Pictures.noise(size, PixelLayout(.rgb, bitDepth: depth), ImageSpace.bt2100PQ.color)
    let path = try write(frame, scratch)
    let raw = try Tool.ffmpeg.run(
      ["-i", path, "-f", "rawvideo", "-pix_fmt", depth == 8 ? "gbrp" : "gbrp16le", "-"])
    #expect(Pictures.hold(raw, frame))
    let read = try #require(try MediaReader(url: path).readFrame())
    #expect(Pictures.hold(raw, read))
    #expect((read.color.primaries, read.color.transfer) == (.bt2020, .pq))
  }

  @Test func chunksOfPQ() throws {
    let scratch = try Scratch()
    let display = MasteringDisplay(
      red: .init(x: 35_400, y: 14_600), green: .init(x: 8_500, y: 39_850), blue: .init(x: 6_550, y: 2_300),
      white: .init(x: 15_635, y: 16_450), maxLuminance: 10_000_000, minLuminance: 50)
    let frame = Pictures.noise(
      Size(width: 8, height: 8), PixelLayout(.rgb, bitDepth: 16), ImageSpace.bt2100PQ.color,
      HDRMetadata(masteringDisplay: display, contentLight: ContentLight(maxCLL: 1000, maxFALL: 400)))
    let path = try write(frame, scratch)
    #expect(
      try chunks(path).filter { !$0.hasPrefix("IDAT") } == [
        "IHDR 00000008000000081002000000", "cICP 09100001",
        // PNG (Third Edition), 11.3.2.7: red, green, blue, white in 0.00002; maximum, minimum in 0.0001 cd/m².
        "mDCV 8a483908" + "21349baa" + "199608fc" + "3d134042" + "00989680" + "00000032",
        "cLLI 00989680" + "003d0900", "IEND",
      ])
    let metadata = try #require(try MediaReader(url: path).readFrame()).metadata
    #expect(metadata.masteringDisplay == display)
    #expect(metadata.contentLight == ContentLight(maxCLL: 1000, maxFALL: 400))
  }

  @Test func chunksOfStandardRange() throws {
    let scratch = try Scratch()
    func types(_ space: ImageSpace) throws -> [String] {
      let frame = Pictures.noise(Size(width: 8, height: 8), PixelLayout(.rgb, bitDepth: 8), space.color)
      return try chunks(write(frame, scratch)).filter { !$0.hasPrefix("I") }
    }
    // Source: PNG (Third Edition), 11.3.2.5, the values that go with sRGB.
    #expect(
      try types(.sRGB) == [
        "sRGB 00", "gAMA 0000b18f", "cHRM 00007a26000080840000fa00000080e8000075300000ea6000003a9800001770",
      ])
    #expect(
      try types(.displayP3) == [
        "cICP 0c0d0001", "gAMA 0000b18f", "cHRM 00007a2600008084000109a000007d000000678400010d8800003a9800001770",
      ])
    #expect(try types(.bt2100HLG) == ["cICP 09120001"])
  }

  @Test func otherLayoutsAreRefused() {
    let frame = CodedFrame(
      size: Size(width: 8, height: 8), layout: PixelLayout(.rgb, bitDepth: 10), color: ImageSpace.sRGB.color)
    #expect(throws: ImageFileError.self) { try PNGEncoder().encode(frame) }
  }
}
