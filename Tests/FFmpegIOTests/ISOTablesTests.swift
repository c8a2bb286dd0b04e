import FFmpegIO
import Foundation
import TestSupport
import Testing

@Suite struct ISOTablesTests {
  private static let options = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]

  private func clip(_ scratch: Scratch, isFragmented: Bool) throws -> (path: String, data: Data) {
    let fragments = isFragmented ? ["-movflags", "frag_keyframe+empty_moov"] : []
    let path = try scratch.clip("a.mp4", size: "64x64", frames: 10, Self.options + fragments)
    return (path, try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The words of a box after its type become others.
  private func change(_ type: String, _ words: [Int: UInt32], isFragmented: Bool) throws -> String? {
    let scratch = try Scratch()
    let (path, whole) = try clip(scratch, isFragmented: isFragmented)
    var data = whole
    #expect(try MediaReader(url: path).readFrame() != nil)
    let place = try #require(data.range(of: Data(type.utf8))).upperBound
    for (index, word) in words {
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
      data.replaceSubrange(place + 4 * index..<place + 4 * index + 4, with: bytes)
    }
    try data.write(to: URL(fileURLWithPath: path))
    do {
      while try MediaReader(url: path).readFrame() == nil {}
      return nil
    } catch {
      return error.description
    }
  }

  /// A fragment whose samples have no numbers of their own: FFmpeg took a gigabyte for a file of 5 KB.
  @Test func samplesOfAFragment() throws {
    let message = try change("trun", [0: 0, 1: 40_000_000], isFragmented: true)
    #expect(message?.contains("more than its") == true, "\(message ?? "read")")
  }

  @Test func samplesOfOneSize() throws {
    let message = try change("stsz", [1: 1, 2: 40_000_000], isFragmented: false)
    #expect(message?.contains("more than its") == true, "\(message ?? "read")")
  }
}
