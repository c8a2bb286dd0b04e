import FFmpegIO
import Foundation
import Media
import TestSupport
import Testing

/// Tags that count packets are not those of a source.
@Suite struct StreamTagTests {
  private static let counts = [
    "BPS", "BPS-eng", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES", "_STATISTICS_TAGS", "_STATISTICS_WRITING_APP",
  ]

  private func soundTags(_ path: String) throws -> [String: String] {
    try #require(try MediaReader(url: path).streamCopy(1)).tags
  }

  /// Keys of the tags of the sound that a remake of a film has.
  private func keys(_ audio: String?) throws -> Set<String> {
    let scratch = try Scratch()
    let tags = (Self.counts + ["title"]).flatMap { ["-metadata:s:a", "\($0)=999999"] }
    let sound = ["-f", "lavfi", "-i", "sine=duration=0.4", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "flac"]
    let input = try scratch.clip("in.mkv", size: "64x64", sound + tags)
    let output = scratch.path("out.mkv")
    try Remake.write(output, from: input, audio: audio)
    let source = try soundTags(input).keys
    #expect(source.contains("_STATISTICS_WRITING_APP") && source.contains("ENCODER"))
    return try Set(soundTags(output).keys)
  }

  @Test func copiedSoundHasNoCounts() throws {
    let keys = try keys(nil)
    #expect(keys.isDisjoint(with: Self.counts) && keys.isSuperset(of: ["title", "ENCODER"]), "\(keys)")
  }

  @Test func encodedSoundDoesNotNameAnotherEncoder() throws {
    let keys = try keys("aac")
    #expect(keys.isDisjoint(with: Self.counts + ["ENCODER"]) && keys.contains("title"), "\(keys)")
  }

  /// What a viewer chooses tracks by is kept, or its loss is reported.
  @Test(arguments: [
    ("mkv", []), ("mp4", []), ("mov", ["the disposition 'comment'"]),
    ("ts", ["the title 'Director'", "the disposition 'comment'"]),
    ("avi", ["the language 'ice'", "the disposition 'comment'"]),
    ("m3u8", ["the title 'Director'", "the disposition 'comment'"]),
  ])
  func lostTagsAreReported(_ suffix: String, _ lost: [String]) throws {
    let scratch = try Scratch()
    let tags = [
      "-metadata:s:a", "title=Director", "-metadata:s:a", "language=ice", "-disposition:a", "comment",
    ]
    let sound = ["-f", "lavfi", "-i", "sine", "-c:v", "mpeg4", "-c:a", "ac3"]
    let input = try scratch.clip("in.mkv", size: "64x64", frames: 25, sound + tags)
    let said = try Remake.write(scratch.path("out." + suffix), from: input)
    let names = ["language", "title", "disposition"]
    #expect(
      said.filter { sentence in names.contains { sentence.contains(" \($0)") } }
        == lost.map { "The output does not hold \($0)." }, "\(said)")
  }
}
