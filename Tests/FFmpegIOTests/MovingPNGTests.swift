import Bitstreams
import FFmpegIO
import Foundation
import Media
import TestSupport
import Testing

@Suite struct MovingPNGTests {
  /// Zlib (RFC 1950) of a hundred zeros: whole, and far less than a picture.
  private static let fewPixels: [UInt8] = [0x78, 0xDA, 0x63, 0x60, 0xA0, 0x3D, 0, 0, 0, 0x64, 0, 1]

  /// FFmpeg's threads waited for each other forever.
  @Test(arguments: [1, 2, 3])
  func aFirstPictureThatBreaksOff(_ threads: Int) throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.apng", size: "64x64", frames: 3, ["-f", "apng", "-pix_fmt", "rgb24"])
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var bytes = PNGChunk.signature
    for place in try #require(PNGChunks(whole)) {
      bytes += place.type == "IDAT" ? PNGChunk("IDAT", Self.fewPixels).bytes : Array(whole[place.whole])
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let reader = try MediaReader(url: path, threads: threads)
    while try reader.readFrame() != nil {}
    #expect(reader.statistics.decodeErrors > 0)
  }
}
