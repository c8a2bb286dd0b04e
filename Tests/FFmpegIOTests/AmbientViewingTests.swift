import FFmpegIO
import Foundation
import Frames
import TestSupport
import Testing

/// The ambient viewing environment, from SEI messages and from containers.
@Suite struct AmbientViewingTests {
  private static let room = AmbientViewing(illuminance: 3_140_000, lightX: 15_635, lightY: 16_450)
  private static let dark = AmbientViewing(illuminance: 50_000, lightX: 15_635, lightY: 16_450)

  private func read(_ path: String) throws -> [AmbientViewing?] {
    let reader = try MediaReader(url: path)
    var result: [AmbientViewing?] = []
    while let frame = try reader.readFrame() { result.append(frame.metadata.ambientViewing) }
    return result
  }

  /// It holds until the next one.
  @Test(arguments: [Injection.Codec.hevc, .h264])
  func messages(_ codec: Injection.Codec) throws {
    let scratch = try Scratch()
    let coding =
      codec == .hevc
      ? ["-c:v", "libx265", "-x265-params", "log-level=none:bframes=0"] : ["-c:v", "libx264", "-bf", "0"]
    let path = try scratch.clip(
      "a.\(codec.rawValue)", size: "64x64", frames: 4,
      coding + ["-preset", "ultrafast", "-pix_fmt", "yuv420p", "-f", codec.rawValue])
    #expect(try read(path) == [nil, nil, nil, nil])
    let messages = [Self.room.seiPayload, nil, Self.dark.seiPayload, [1, 2, 3]]
    try Injection.inject(messages, into: path, codec, type: 148)
    // A decoder may be ahead of its pictures by some packets.
    let found = try read(path)
    #expect(found.count == 4 && found.last == Self.dark && found.allSatisfy { $0 == Self.room || $0 == Self.dark })
  }

  /// A box is added to the sample entry of a file; its parents grow.
  private func file(_ scratch: Scratch, _ box: [UInt8]) throws -> String {
    let path = try scratch.clip(
      "a.mp4", size: "64x64", frames: 2, ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"])
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    var place = 0
    for type in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1"] {
      place = try #require(data.range(of: Data(type.utf8), in: place..<data.count)).lowerBound
      let size = data[place - 4..<place].reduce(0) { $0 << 8 | Int($1) } + box.count
      data.replaceSubrange(place - 4..<place, with: (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) })
    }
    let size = data[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
    data.insert(contentsOf: box, at: place - 4 + size - box.count)
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func container() throws {
    let scratch = try Scratch()
    let box: [UInt8] = [0, 0, 0, 16] + Array("amve".utf8) + Self.room.seiPayload
    #expect(try read(try file(scratch, box)) == [Self.room, Self.room])
    // Cut short; of a size that cannot be.
    #expect(try read(try file(scratch, [0, 0, 0, 12] + box[4..<12])) == [nil, nil])
    #expect(try read(try file(scratch, [0, 0, 0, 4] + box[4...])) == [nil, nil])
  }

  @Test(arguments: ["hlg_h264-10bit_amve_640x360_fate.mp4", "dv84_iphone_5frames_rot_androidx.mov"])
  func clips(_ name: String) throws {
    guard let clip = Clip.all.first(where: { $0.file == name }) else { return }
    #expect(try MediaReader(url: clip.path).readFrame()?.metadata.ambientViewing == Self.room)
  }
}
