import ColorScience
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct EXREncoderTests {
  @Test(arguments: EXRCompression.allCases)
  func ffmpegDecodesTheBitsOfThePlanes(_ compression: EXRCompression) throws {
    let scratch = try Scratch()
    // The last chunk is shorter than the others.
    let frame = HalfFrames.anyBits(Size(width: 37, height: 71))
    let path = scratch.path("a.exr")
    try Data(EXREncoder(compression: compression).encode(frame)).write(to: URL(fileURLWithPath: path))
    let decoded = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "gbrpf32le", "-"])
    let expected = (0..<3).flatMap { frame.samples($0) }.map { Float(Float16(bitPattern: UInt16($0))).bitPattern }
    let found = unsafe decoded.withUnsafeBytes { unsafe Array($0.bindMemory(to: UInt32.self)) }
    #expect(difference(found, expected) == nil)
  }

  @Test func attributesSayWhatTheNumbersMean() throws {
    let frame = HalfFrames.anyBits(Size(width: 8, height: 4), primaries: .displayP3, linearUnit: 203)
    let attributes = EXRAttributes(try EXREncoder(compression: .zip).encode(frame))
    // SMPTE EG 432-1 and BT.709's white.
    #expect(attributes.floats("chromaticities") == [0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3127, 0.3290])
    #expect(attributes.floats("whiteLuminance") == [203])
    #expect(attributes.floats("pixelAspectRatio") == [1])
    #expect(attributes.values["lineOrder"] == [0])
    #expect(attributes.values["compression"] == [3])
    #expect(attributes.values["dataWindow"] == attributes.values["displayWindow"])
    #expect(attributes.values["dataWindow"] == [0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0])
    let unknown = HalfFrames.anyBits(Size(width: 8, height: 4), linearUnit: nil)
    #expect(EXRAttributes(try EXREncoder(compression: .none).encode(unknown)).values["whiteLuminance"] == nil)
  }

  @Test func framesAreEncodedOnSeveralThreadsAtOnce() async throws {
    let encoder = EXREncoder(compression: .zip)
    let frames = (0..<8).map { HalfFrames.anyBits(Size(width: 64, height: 48), seed: UInt64($0 + 1)) }
    let alone = try frames.map { try encoder.encode($0) }
    let together = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for (index, frame) in frames.enumerated() { group.addTask { (index, try encoder.encode(frame)) } }
      return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
    }
    for (index, bytes) in alone.enumerated() { #expect(difference(together[index] ?? [], bytes) == nil) }
  }
}

/// The attributes of a file of one part, read by the words of the file layout.
struct EXRAttributes {
  private(set) var values: [String: [UInt8]] = [:]

  init(_ file: [UInt8]) {
    var position = 8
    func text() -> String {
      let end = file[position...].firstIndex(of: 0) ?? file.endIndex
      defer { position = end + 1 }
      return String(decoding: file[position..<end], as: UTF8.self)
    }
    while case let name = text(), !name.isEmpty {
      _ = text()
      let count = (0..<4).reduce(0) { $0 | Int(file[position + $1]) << (8 * $1) }
      values[name] = Array(file[position + 4..<position + 4 + count])
      position += 4 + count
    }
  }

  func floats(_ name: String) -> [Float]? {
    guard let bytes = values[name] else { return nil }
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) })
    }
  }
}
