import Foundation
import Patterns
import TestSupport
import Testing

/// Patterns through encoders and through `transcode`: all of them pass.
@Suite(.serialized) struct VerifyEncoderTests {
  private static let names = TestPattern.all.map(\.name)
  private static let encoders: [(name: String, suffix: String, arguments: [String])] = [
    ("libx265", "mp4", ["--preset", "fast"]), ("libsvtav1", "mp4", ["--preset", "8", "--crf", "5"]),
    ("prores_ks", "mov", []), ("ffv1", "mkv", []),
  ]

  @Test(arguments: names.enumerated())
  func encodersKeepThePattern(_ number: Int, _ name: String) throws {
    let scratch = try Scratch()
    for (encoder, suffix, arguments) in LongTests.share(of: Self.encoders, turn: number + 2) {
      let path = try Verdict.make(
        name, "\(encoder).\(suffix)", in: scratch, duration: 0.12, ["-c:v", encoder] + arguments)
      let verdict = try Verdict(path, name)
      if name == "bt2111-pq-full", encoder == "prores_ks" {
        // ProRes has no full range to say.
        #expect(verdict.faults.contains("range.full-as-narrow"), "\(encoder): \(verdict.words)")
        continue
      }
      #expect(verdict.status == 0, "\(encoder): \(verdict.words)")
    }
  }

  /// What `transcode` makes of a pattern is what the reference mapper makes of its signals.
  @Test(arguments: names.enumerated())
  func renditionsAreThoseOfTheReferenceMapper(_ number: Int, _ name: String) throws {
    let scratch = try Scratch()
    let path = try Verdict.make(name, "source.mkv", in: scratch, duration: 0.12, ["-c:v", "ffv1"])
    let renditions = [
      ("sdr", ["--to", "sdr"], "tone-mapped:system:headroom=1"),
      ("hdr10", ["--to", "hdr10", "--peak", "600"], "tone-mapped:system:peak=600"),
      ("hlg", ["--to", "hlg"], "tone-mapped:system:to=hlg"),
    ]
    for (kind, arguments, expectation) in LongTests.share(of: renditions, turn: number) {
      let output = scratch.path("\(kind).mkv")
      let result = try Command.run(
        ["transcode", path, "-o", output, "-c:v", "ffv1", "--tone-map", "system", "-q"] + arguments)
      try #require(result.status == 0, "\(result.messages)")
      let verdict = try Verdict(output, name, ["--expect", expectation])
      #expect(verdict.status == 0, "\(kind): \(verdict.words)")
    }
  }
}
