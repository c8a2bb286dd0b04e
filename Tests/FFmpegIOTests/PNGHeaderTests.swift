import Bitstreams
import FFmpegIO
import Foundation
import TestSupport
import Testing

@Suite struct PNGHeaderTests {
  /// A picture of 64x64 pixels whose header states another height; with the right checksum.
  private func file(_ scratch: Scratch, height: UInt32, format: String) throws -> String {
    let path = try scratch.clip("a.png", size: "64x64", frames: 1, ["-pix_fmt", format])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let place = try #require(PNGChunks(bytes)?.first { $0.type == "IHDR" })
    var data = Array(bytes[place.data])
    data.replaceSubrange(4..<8, with: (0..<4).map { UInt8(truncatingIfNeeded: height >> (24 - 8 * $0)) })
    bytes.replaceSubrange(place.whole, with: PNGChunk("IHDR", data).bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// 20 KB that state 400 MB of pixels, which FFmpeg would take and fill with zeros.
  @Test(arguments: [UInt32(1) << 20, .max], ["rgb48be", "gray", "pal8"])
  func moreThanTheFileCanHold(_ height: UInt32, _ format: String) throws {
    let scratch = try Scratch()
    let path = try file(scratch, height: height, format: format)
    let error = #expect(throws: FFmpegError.self) { try MediaReader(url: path) }
    #expect(error?.description.contains("bytes can hold") == true, "\(error?.description ?? "")")
  }

  /// Nothing but one colour is packed by nearly as much as can be.
  @Test(arguments: ["rgb48be", "gray", "monob"]) func oneColorIsRead(_ format: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("a.png")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "color=black:s=4000x3000", "-frames:v", "1", "-pix_fmt", format, "-compression_level", "9",
      "-y", path,
    ])
    #expect(try MediaReader(url: path).readFrame() != nil)
  }
}
