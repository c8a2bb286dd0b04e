import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Mastering display and content light in the packets of streams.
@Suite struct StaticMetadataReadingTests {
  private static let display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)"

  private func clip(_ scratch: Scratch, _ name: String, maxCLL: Int = 3500) throws -> String {
    let light = "mastering-display=\(Self.display):cll=\(maxCLL),400"
    return try scratch.clip(
      name, size: "64x64", frames: 12,
      ["-pix_fmt", "yuv420p10le", "-c:v", "libx264", "-preset", "ultrafast", "-x264-params", "keyint=4:\(light)"])
  }

  /// FFmpeg 5.1 does not read them, and a transport stream has no others.
  @Test func h264StatesThem() throws {
    let scratch = try Scratch()
    let reader = try MediaReader(url: try clip(scratch, "a.ts"))
    var count = 0
    while let frame = try reader.readFrame() {
      #expect(frame.metadata.masteringDisplay == MasteringDisplay(text: Self.display))
      #expect(frame.metadata.contentLight == ContentLight(maxCLL: 3500, maxFALL: 400))
      count += 1
    }
    #expect(count == 12)
  }

  /// What was written is found when the file is read back.
  @Test func writtenH264IsFoundAgain() throws {
    let scratch = try Scratch()
    var settings = MediaWriter.Settings(
      url: scratch.path("a.ts"), encoder: "libx264", size: Size(width: 64, height: 64),
      layout: PixelLayout(.ycbcr420, bitDepth: 10), timeBase: Rational(1, 25), frameRate: Rational(25, 1),
      color: .bt2100PQ)
    settings.metadata = HDRMetadata(
      masteringDisplay: MasteringDisplay(text: Self.display), contentLight: ContentLight(maxCLL: 900, maxFALL: 0))
    settings.insistsOnMetadata = true
    let writer = try MediaWriter(settings)
    for time in 0..<12 as Range<Int64> {
      let time = FrameTime(presentation: time, duration: 1, timeBase: settings.timeBase)
      try writer.write(writer.makeFrame(time: time))
    }
    let losses = try writer.finish()
    #expect(losses.failure == nil && losses.sentences.isEmpty, "\(losses)")
  }

  /// The messages of each picture are its own, however far a decoder is ahead.
  @Test func partsKeepTheirOwn() throws {
    let scratch = try Scratch()
    let parts = try [1000, 3500].map { maxCLL in
      let part = try clip(scratch, "\(maxCLL).h264", maxCLL: maxCLL)
      return try Data(contentsOf: URL(fileURLWithPath: part))
    }
    let path = scratch.path("a.h264")
    try (parts[0] + parts[1]).write(to: URL(fileURLWithPath: path))
    let reader = try MediaReader(url: path)
    var levels: [UInt16?] = []
    while let frame = try reader.readFrame() { levels.append(frame.metadata.contentLight?.maxCLL) }
    #expect(levels == Array(repeating: 1000, count: 12) + Array(repeating: 3500, count: 12))
  }

  /// In every container that can be searched.
  @Test(arguments: ["mkv", "mp4", "ts"]) func surveysFindWhatComesLater(_ suffix: String) throws {
    guard let clip = Case.path("maxcll_changes_after_logo.mkv") else { return }
    let scratch = try Scratch()
    let path = scratch.path("a." + suffix)
    try Tool.ffmpeg.run(["-i", clip, "-c", "copy", path])
    let survey = try MediaReader(url: path).survey(from: 0, to: nil)
    #expect(survey.metadata.map { $0.masteringDisplay?.maxNits } == [1000, 4000])
    #expect(survey.metadata.map { $0.contentLight?.maxCLL } == [0, 3800])
    #expect(try MediaReader(url: path).survey(from: 0, to: 0.4).metadata.count == 1)
  }
}
