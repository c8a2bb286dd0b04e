import ConstantColorRuns
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Stills that are no pair by what their files state, and pairs in clips.
@Suite struct ConstantColorPairTests {
  /// A grey TIFF of 8 bits, by a camera, rotated as a value of Exif says.
  private func tiff(camera: String, orientation: UInt16) -> Data {
    let (side, model) = (32, Array(camera.utf8) + [0])
    let entries: [(tag: UInt16, type: UInt16, count: Int, value: Int)] = [
      (256, 3, 1, side), (257, 3, 1, side), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
      (272, 2, model.count, 8 + 2 + 12 * 10 + 4), (273, 4, 1, 8 + 2 + 12 * 10 + 4 + model.count),
      (274, 3, 1, Int(orientation)), (277, 3, 1, 1), (279, 4, 1, side * side),
    ]
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var data: [UInt8] = [0x49, 0x49, 42, 0] + bytes(8, 4) + bytes(entries.count, 2)
    for entry in entries {
      data += bytes(Int(entry.tag), 2) + bytes(Int(entry.type), 2) + bytes(entry.count, 4) + bytes(entry.value, 4)
    }
    data += bytes(0, 4) + model
    return Data(data + (0..<side * side).map { UInt8(50 + $0 % 100) })
  }

  private func refuses(
    _ code: Message.Code, _ part: String, _ ambient: Data, _ flash: Data,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let scratch = try Scratch()
    let request = ConstantColorRequest(
      .stills(ambient: try scratch.file("a.tiff", ambient), flash: try scratch.file("f.tiff", flash)),
      output: scratch.path("out.png"))
    expectRefusal(code, part, kind: .failed, sourceLocation: sourceLocation) { try $0.run(request) }
  }

  @Test func filesOfDifferentCamerasAndRotations() throws {
    try refuses(
      "different-cameras", "'Box 7' and 'Box 8'", tiff(camera: "Box 7", orientation: 1),
      tiff(camera: "Box 8", orientation: 1))
    try refuses(
      "different-rotations", "rotated", tiff(camera: "Box 7", orientation: 1), tiff(camera: "Box 7", orientation: 6))
  }

  @Test func theFramesOfAClipAreNamed() throws {
    let scratch = try Scratch()
    let (ambient, flash) = try scratch.flashPair()
    let list = (0..<12).map { "file '\($0 == 6 ? flash : ambient)'\nduration 0.04\n" }.joined()
    let clip = scratch.path("clip.mkv")
    try Tool.ffmpeg.run([
      "-f", "concat", "-safe", "0", "-i", try scratch.file("list.txt", Data(list.utf8)), "-r", "25", "-c:v", "ffv1",
      "-pix_fmt", "gbrp16le", "-y", clip,
    ])
    let request = ConstantColorRequest(
      .frames(of: clip, .numbered(ambient: 4, flash: 6)), output: scratch.path("out.png"))
    try expectNote("pair-found", "frame 4 is without the flash, frame 6 with it") { try $0.run(request) }
  }
}
