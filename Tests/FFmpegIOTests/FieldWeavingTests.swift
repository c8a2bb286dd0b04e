import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// HEVC whose pictures are fields.
@Suite struct FieldWeavingTests {
  private static let size = Size(width: 64, height: 64)

  /// Fields of 64 by 32 samples, lossless, at 50 Hz.
  private func film(
    _ scratch: Scratch, fields: Int = 16, first: String = "tff", keyint: Int = 4, without lost: Int? = nil
  ) throws -> String {
    let coding = "log-level=none:lossless=1:interlace=\(first):keyint=\(keyint):bframes=\(keyint > 1 ? 2 : 0)"
    let path = try scratch.clip(
      "a.mkv", size: "64x32", rate: 50, frames: fields,
      ["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", coding])
    guard let lost else { return path }
    try Tool.ffmpeg.run(["-i", path, "-c", "copy", "-bsf:v", "noise=drop=eq(n\\,\(lost))", scratch.path("b.mkv")])
    return scratch.path("b.mkv")
  }

  private func frames(_ reader: MediaReader) throws -> [CodedFrame] {
    var frames: [CodedFrame] = []
    while let frame = try reader.readFrame() { frames.append(frame) }
    return frames
  }

  private func luma(_ frame: CodedFrame) -> [[Int]] {
    (0..<frame.size.height).map { y in (0..<frame.size.width).map { frame.sample(plane: 0, x: $0, y: y) } }
  }

  @Test(arguments: ["tff", "bff"]) func fieldsBecomeFrames(_ first: String) throws {
    let scratch = try Scratch()
    let path = try film(scratch, first: first)
    let reader = try MediaReader(url: path)
    #expect(reader.video.size == Self.size && reader.video.isInterlaced)
    #expect(reader.video.frameRate == Rational(25, 1))
    let frames = try frames(reader)
    #expect(frames.map(\.time.presentation) == Array(stride(from: 0, to: 320, by: 40)))
    #expect(frames.allSatisfy { $0.size == Self.size && !$0.isDamaged })
    #expect(Set(frames.map(\.fieldOrder)) == [first == "tff" ? .topFirst : .bottomFirst])
    let raw = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-"]).words
    func field(_ index: Int) -> [[Int]] {
      (0..<32).map { (y: Int) -> [Int] in
        let start = index * 64 * 32 * 3 / 2 + 64 * y
        return raw[start..<start + 64].map(Int.init)
      }
    }
    let rows = luma(frames[3])
    let (top, bottom) = first == "tff" ? (field(6), field(7)) : (field(7), field(6))
    #expect(rows == zip(top, bottom).flatMap { [$0, $1] })
  }

  @Test func theCaseIsInterlaced() throws {
    guard let path = Case.path("hevc_field_coded_hlg.ts") else { return }
    let reader = try MediaReader(url: path)
    let frames = try frames(reader)
    #expect(frames.count == 12 && frames.allSatisfy { $0.size == Size(width: 640, height: 360) })
    #expect(reader.video.frameRate == Rational(25, 1) && frames[0].fieldOrder == .topFirst)
  }

  @Test func deinterlacingGivesAFrameForEachField() throws {
    let scratch = try Scratch()
    let reader = try MediaReader(url: film(scratch))
    reader.prepare(PicturePreparation(deinterlacing: .field))
    #expect(reader.video.frameRate == Rational(50, 1))
    let frames = try frames(reader)
    #expect(frames.count == 16 && frames.allSatisfy { $0.fieldOrder == nil && $0.size == Self.size })
  }

  /// The frame of a lost field has the rows of the other, and no other frame changes.
  @Test(arguments: [6, 7]) func lostFieldsCostOneFrame(_ lost: Int) throws {
    let scratch = try Scratch()
    let whole = try frames(MediaReader(url: film(scratch, keyint: 1)))
    let frames = try frames(MediaReader(url: film(scratch, keyint: 1, without: lost)))
    #expect(frames.count == 8 && frames.indices.filter { frames[$0].isDamaged } == [3])
    let rows = luma(frames[3])
    #expect(stride(from: 0, to: 64, by: 2).allSatisfy { rows[$0] == rows[$0 + 1] })
    #expect(frames.indices.allSatisfy { $0 == 3 || luma(frames[$0]) == luma(whole[$0]) })
  }

  /// A recording that begins with a second field: the fields are paired as they come.
  @Test func oddFirstFieldsArePaired() throws {
    let scratch = try Scratch()
    let frames = try frames(MediaReader(url: film(scratch, keyint: 1, without: 0)))
    #expect(frames.count == 8 && frames.map(\.fieldOrder).allSatisfy { $0 == .bottomFirst })
    #expect(frames.indices.filter { frames[$0].isDamaged } == [7])
  }

  @Test func seekingFindsTheSameFrames() throws {
    let scratch = try Scratch()
    let path = try film(scratch)
    let whole = try frames(MediaReader(url: path))
    for index in whole.indices {
      let reader = try MediaReader(url: path)
      _ = try reader.peekFrame()
      try reader.seek(to: whole[index].time.presentation)
      let frame = try #require(try reader.readFrame())
      #expect(frame.time == whole[index].time && luma(frame) == luma(whole[index]), "\(index)")
    }
  }

  @Test(arguments: [nil, 5, 0] as [Int?]) func theIndexListsFrames(_ lost: Int?) throws {
    let scratch = try Scratch()
    let path = try film(scratch, keyint: lost == nil ? 4 : 1, without: lost)
    let frames = try frames(MediaReader(url: path))
    let index = try #require(try PictureIndex.read(url: path))
    #expect(index.pictures.map(\.presentation) == frames.map(\.time.presentation) && index.hasFieldPackets)
  }
}
