import FFmpegIO
import Foundation
import TestSupport
import Testing

/// Tracks of timed metadata.
@Suite struct MetadataTrackTests {
  @Test(arguments: [("tmcd", false), ("it35", true)])
  func `A track of T35 messages is named`(_ type: String, _ isNamed: Bool) throws {
    let scratch = try Scratch()
    let path = try scratch.clip(
      "a.mov", size: "64x64", frames: 2, ["-c:v", "libx264", "-preset", "ultrafast", "-timecode", "01:00:00:00"])
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    // The sample entry of the second track.
    let description = try #require(data.range(of: Data("stsd".utf8), options: .backwards))
    let place = description.upperBound + 12
    try #require(data[place..<place + 4] == Data("tmcd".utf8))
    data.replaceSubrange(place..<place + 4, with: Data(type.utf8))
    try data.write(to: URL(fileURLWithPath: path))
    let reader = try MediaReader(url: path)
    #expect(reader.notes.contains { $0.contains("Stream #1") && $0.contains("T.35") } == isNamed)
  }
}
