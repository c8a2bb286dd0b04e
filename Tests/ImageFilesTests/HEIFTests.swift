import ColorScience
import FFmpegIO
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite(.enabled(if: HEIFReader.isAvailable)) struct HEIFTests {
  private static let display = MasteringDisplay(
    red: .init(x: 35_400, y: 14_600), green: .init(x: 8_500, y: 39_850), blue: .init(x: 6_550, y: 2_300),
    white: .init(x: 15_635, y: 16_450), maxLuminance: 10_000_000, minLuminance: 50)
  private static let light = ContentLight(maxCLL: 987, maxFALL: 321)
  private static let metadata = HDRMetadata(masteringDisplay: display, contentLight: light)
  private static let pq = ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, range: .narrow)

  private func write(_ frame: CodedFrame, _ scratch: Scratch, lossless: Bool = false) throws -> String {
    let path = scratch.path("a.avif")
    try Data(AVIFEncoder(isLossless: lossless).encode(frame)).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(arguments: AVIFEncoder.layouts) func losslessKeepsEverySample(_ layout: PixelLayout) throws {
    let scratch = try Scratch()
    let frame = Pictures.noise(Size(width: 67, height: 35), layout, Self.pq, Self.metadata)
    let path = try write(frame, scratch, lossless: true)
    let still = try HEIFReader.read(path)
    #expect(still.frame.format == frame.format)
    #expect(Pictures.areEqual(still.frame, frame))
    #expect(still.frame.metadata == Self.metadata)
    #expect(still.notes.isEmpty)
    // FFmpeg reads the same.
    let read = try #require(try MediaReader(url: path).readFrame())
    #expect(Pictures.areEqual(read, frame))
  }

  @Test(arguments: AVIFEncoder.layouts) func usualQualityIsNearTheSource(_ layout: PixelLayout) throws {
    let scratch = try Scratch()
    let frame = Pictures.ramps(Size(width: 256, height: 128), layout, Self.pq)
    let still = try HEIFReader.read(write(frame, scratch))
    var squares = 0.0
    for y in 0..<128 {
      for x in 0..<256 {
        let error = frame.sample(plane: 0, x: x, y: y) - still.frame.sample(plane: 0, x: x, y: y)
        squares += Double(error * error)
      }
    }
    let peak = Double((1 << layout.bitDepth) - 1)
    let ratio = 10 * log10(peak * peak * 256 * 128 / squares)
    #expect(ratio > 45)
  }

  /// The boxes as bytes: ISO/IEC 14496-12, 12.1.5 and 12.1.6 (after the four letters).
  @Test func boxesAreThoseOfTheStandard() throws {
    let scratch = try Scratch()
    let frame = Pictures.ramps(
      Size(width: 64, height: 64), PixelLayout(.ycbcr420, bitDepth: 10), Self.pq, Self.metadata)
    let file = try Data(contentsOf: URL(fileURLWithPath: write(frame, scratch)))
    func holds(_ type: String, _ content: [UInt8]) -> Bool { file.range(of: Data(type.utf8) + Data(content)) != nil }
    func bytes(_ words: [UInt16]) -> [UInt8] { words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
    #expect(holds("clli", bytes([987, 321])))
    // Green, blue, red, white, the maximum and the minimum.
    #expect(
      holds("mdcv", bytes([8_500, 39_850, 6_550, 2_300, 35_400, 14_600, 15_635, 16_450, 152, 38_528, 0, 50])))
    #expect(holds("colrnclx", bytes([9, 16, 9]) + [0]))
  }

  @Test func fullRangeAndOtherCodesAreKept() throws {
    let scratch = try Scratch()
    let color = ColorDescription(primaries: .displayP3, transfer: .sRGB, matrix: .bt470BG, range: .full)
    let frame = Pictures.ramps(Size(width: 64, height: 64), PixelLayout(.ycbcr444, bitDepth: 8), color)
    let path = try write(frame, scratch)
    #expect(try HEIFReader.read(path).frame.color == color)
    let stream = try #require(try Probe(path, ["-show_streams"]).streams?.first)
    #expect(stream.color_primaries == "smpte432")
    #expect(stream.color_transfer == "iec61966-2-1")
    #expect(stream.color_range == "pc")
  }

  @Test(arguments: Clip.all.filter { $0.file.hasSuffix(".avif") }) func stillsAreAsFFmpegReadsThem(_ clip: Clip) throws
  {
    let still = try HEIFReader.read(clip.path).frame
    let frame = try #require(try MediaReader(url: clip.path).readFrame())
    #expect(still.format == frame.format)
    #expect(Pictures.areEqual(still, frame))
  }

  @Test func otherLayoutsAreRefused() {
    let frame = CodedFrame(size: Size(width: 8, height: 8), layout: PixelLayout(.rgb, bitDepth: 8), color: .bt709)
    #expect(throws: ImageFileError.self) { try AVIFEncoder().encode(frame) }
  }

  @Test func damagedFilesAreErrors() throws {
    let scratch = try Scratch()
    let frame = Pictures.ramps(
      Size(width: 64, height: 64), PixelLayout(.ycbcr420, bitDepth: 10), Self.pq, Self.metadata)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: write(frame, scratch))))
    let path = scratch.path("b.avif")
    #expect(throws: ImageFileError.self) { try HEIFReader.read(path) }
    for length in stride(from: 0, to: whole.count - 1, by: 7) {
      try Data(whole[..<length]).write(to: URL(fileURLWithPath: path))
      _ = try? HEIFReader.read(path)
    }
    for index in stride(from: 0, to: min(whole.count, 600), by: 3) {
      var bytes = whole
      bytes[index] ^= 0xFF
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      _ = try? HEIFReader.read(path)
    }
    try Data(whole[..<(whole.count / 2)]).write(to: URL(fileURLWithPath: path))
    #expect(throws: ImageFileError.self) { try HEIFReader.read(path) }
  }
}
