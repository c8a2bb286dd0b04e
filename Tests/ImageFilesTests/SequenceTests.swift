import ColorScience
import FFmpegIO
import Foundation
import Frames
import ImageFiles
internal import Media
import TestSupport
import Testing

/// Numbered pictures are read like each of them alone.
@Suite struct SequenceTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let size = Size(width: 64, height: 48)

  private func frame(_ space: ImageSpace, _ number: Int, _ size: Size = size) -> CodedFrame {
    if space.isLinear { return HalfFrames.anyBits(size, primaries: space.primaries, seed: UInt64(number + 1)) }
    return Pictures.frame(size, PixelLayout(.rgb, bitDepth: 16), space.color, HDRMetadata()) { plane, x, y in
      (x * 997 + y * 131 + plane * 17 + number * 4099) & 0xFFFF
    }
  }

  private func write(_ frame: CodedFrame, _ name: String) throws {
    let encoder: any ImageEncoder =
      switch name.split(separator: ".").last {
      case "exr": EXREncoder(compression: .zip)
      case "tif": TIFFEncoder()
      case "jxl": JXLEncoder(distance: 0)
      default: PNGEncoder()
      }
    try Data(encoder.encode(frame)).write(to: URL(fileURLWithPath: scratch.path(name)))
  }

  private func open(_ pattern: String, _ settings: StillSettings = StillSettings()) throws -> SequenceReader {
    let path = scratch.path(pattern)
    return try SequenceReader(
      try #require(try ImageSequence(pattern: path, startNumber: settings.startNumber)), settings: settings)
  }

  private func frames(_ reader: SequenceReader) throws -> [CodedFrame] {
    var frames: [CodedFrame] = []
    while let frame = try reader.readFrame() { frames.append(frame) }
    return frames
  }

  @Test(arguments: [
    ("exr", ImageSpace.linearP3), ("png", .bt2100PQ), ("png", .bt2100HLG), ("tif", .displayP3PQ), ("jxl", .bt2100PQ),
  ])
  func everyFileIsReadWithItsTags(_ suffix: String, _ space: ImageSpace) throws {
    for number in 7..<10 { try write(frame(space, number), "f\(number).\(suffix)") }
    let reader = try open("f%d.\(suffix)", StillSettings(frameRate: Rational(24, 1)))
    #expect(reader.video.color.transfer == space.transfer)
    #expect(reader.video.averageFrameRate == Rational(24, 1))
    #expect(reader.info.streams.first?.frameCount == 3)
    let read = try frames(reader)
    let times: [Double] = [0, 1.0 / 24, 2.0 / 24]
    #expect(read.map(\.time.seconds) == times)
    #expect(reader.ending?.index == nil)
    for (number, found) in zip(7..., read) {
      #expect(found.color == space.color)
      #expect(Pictures.areEqual(found, frame(space, number)))
    }
  }

  @Test func seekingGoesToTheFrameAtOrAfterATime() throws {
    for number in 0..<5 { try write(frame(.bt2100PQ, number), String(format: "f%03d.png", number)) }
    let reader = try open("f%03d.png")
    for (seconds, number) in [(0.0, 0), (0.04, 1), (0.0401, 2), (0.12, 3), (0.16, 4), (-1, 0)] {
      try reader.seek(toSeconds: seconds)
      let peeked = try #require(try reader.peekFrame())
      let found = try #require(try reader.readFrame())
      #expect(Pictures.areEqual(found, frame(.bt2100PQ, number)) && Pictures.areEqual(peeked, found))
      #expect(found.time.presentation == Int64(number))
    }
    try reader.seek(toSeconds: 0.2)
    #expect(try reader.readFrame() == nil)
    #expect(reader.ending?.index == nil)
  }

  @Test func aGapEndsIt() throws {
    for number in [3, 4, 6] { try write(frame(.bt2100PQ, number), "f\(number).png") }
    let reader = try open("f%d.png")
    #expect(try frames(reader).count == 2)
    let sentence = "\(try #require(reader.ending).reason)"
    #expect(try #require(reader.ending).index == 2)
    #expect(sentence.contains("f5.png") && sentence.contains("f6.png"), "\(sentence)")
    // From behind it there is none.
    #expect(try frames(open("f%d.png", StillSettings(startNumber: 6))).count == 1)
  }

  @Test func anotherFileEndsIt() throws {
    try write(frame(.bt2100PQ, 0), "f0.png")
    let others: [(CodedFrame, String)] = [
      (frame(.bt2100HLG, 1), "hlg"), (frame(.displayP3PQ, 1), "displayP3"),
      (frame(.bt2100PQ, 1, Size(width: 65, height: 48)), "65x48"),
      (Pictures.noise(Self.size, PixelLayout(.rgb, bitDepth: 8), ImageSpace.bt2100PQ.color), "8-bit"),
    ]
    for (other, word) in others {
      try write(other, "f1.png")
      let reader = try open("f%d.png")
      #expect(try frames(reader).count == 1)
      let sentence = "\(try #require(reader.ending).reason)"
      #expect(sentence.contains("f1.png") && sentence.contains(word), "\(sentence)")
    }
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: scratch.path("f1.png")))
    let reader = try open("f%d.png")
    #expect(try frames(reader).count == 1)
    #expect(reader.ending?.index == 1)
  }

  /// What FFmpeg alone reads goes one by one, too.
  @Test func formatsOfFFmpegAreSequences() throws {
    _ = try scratch.clip("b%02d.bmp", size: "32x16", frames: 3)
    let reader = try open("b%02d.bmp")
    #expect(reader.info.streams.first?.codecName == "bmp")
    let transfers: [TransferCharacteristics] = [.sRGB, .sRGB, .sRGB]
    #expect(try frames(reader).map(\.color.transfer) == transfers)
  }

  @Test func namesOfFilesAreNoPatterns() throws {
    for name in ["x%03d.png", "100%d.png", "y%%.png"] {
      try write(frame(.bt2100PQ, 0), "a.png")
      try FileManager.default.copyItem(atPath: scratch.path("a.png"), toPath: scratch.path(name))
      #expect(try ImageSequence(pattern: scratch.path(name)) == nil)
      let found = try #require(try MediaReader(url: scratch.path(name)).readFrame())
      #expect(Pictures.areEqual(found, frame(.bt2100PQ, 0)))
    }
    for name in ["a.png", "none.mp4", "f%03d.mp4", "f%d/a.png", "%d%d.png"] {
      #expect(try ImageSequence(pattern: scratch.path(name)) == nil)
    }
    #expect(try ImageSequence(pattern: "http://host/%d.png") == nil)
    // Beyond the numbers that a file can have.
    try write(frame(.bt2100PQ, 0), "n\(Int.max).png")
    #expect(throws: ImageFileError.self) { try ImageSequence(pattern: scratch.path("n%d.png")) }
    #expect(throws: ImageFileError.self) { try ImageSequence(pattern: scratch.path("none%d.png")) }
    #expect(throws: ImageFileError.self) { try ImageSequence(pattern: scratch.path("x%d.png"), startNumber: 3) }
  }
}
