import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import Patterns
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Messages about the effects of an output's format on pictures, their times and their metadata.
@Suite struct OutputFormTests {
  private static func transcode(
    _ input: String, _ output: String, _ encoder: String? = nil, _ change: (inout TranscodeRequest) -> Void = { _ in }
  ) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: output)
    request.coding.encoder = encoder
    change(&request)
    return request
  }

  @Test func eightBitsOfHDR() throws {
    let scratch = try Scratch()
    try expectWarning("eight-bit-hdr") {
      try $0.plan(
        Self.transcode(Sample.hdr10, scratch.path("a.mkv")) {
          $0.mapping.chosenKind = .hdr10
          $0.coding.layout = PixelLayout(.ycbcr420, bitDepth: 8)
        })
    }
  }

  @Test func whatContainersHaveNoPlaceFor() throws {
    let scratch = try Scratch()
    let input = try scratch.clipOfManyStreams("in.mkv")
    let request = Self.transcode(input, scratch.path("a.ts"))
    try expectWarning("no-place-for-chapters", "mpegts does", "2 chapters are") { try $0.plan(request) }
    try expectWarning("no-place-for-tags", "mpegts cannot", "tags ARTIST, title:") { try $0.plan(request) }
  }

  @Test func picturesThatComeLate() throws {
    let scratch = try Scratch()
    let input = scratch.path("in.mkv")
    try Tool.ffmpeg.run(
      [
        "-itsoffset", "2", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=0.2", "-f", "lavfi", "-i",
        "sine=duration=2.2", "-map", "0", "-map", "1", "-c:v", "ffv1", "-c:a", "flac",
      ] + Scratch.bt709 + [input])
    try expectNote("late-first-picture", "at 2.0 s") {
      try $0.plan(Self.transcode(input, scratch.path("a.mkv"), "ffv1"))
    }
  }

  @Test func variableRates() throws {
    let scratch = try Scratch()
    let input = scratch.path("in.mp4")
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=100:duration=1", "-vf",
        "select='if(lt(t,0.5),not(mod(n,3)),not(mod(n,7)))'", "-vsync", "vfr", "-c:v", "libx264", "-preset",
        "ultrafast", "-pix_fmt", "yuv420p",
      ] + Scratch.bt709 + [input])
    try expectWarning("frame-times-lost", "yuv4mpegpipe needs") {
      try $0.plan(Self.transcode(input, scratch.path("a.y4m")))
    }
    try expectWarning("frame-times-rounded", "frame rate, 100 fps") {
      try $0.plan(Self.transcode(input, scratch.path("a.mkv"), "mpeg4"))
    }
  }

  @Test func fields() throws {
    let scratch = try Scratch()
    let coding = ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "1", "-pix_fmt", "yuv420p"] + Scratch.bt709
    let odd = try scratch.made("odd.mkv", size: "128x98", coding)
    try expectWarning("field-chroma-mixed", "98 lines") {
      try $0.plan(Self.transcode(odd, scratch.path("a.mkv"), "ffv1"))
    }
    let even = try scratch.made("even.mkv", coding)
    try expectWarning("fields-not-signalled", "top field first, which libx265 cannot") {
      try $0.plan(Self.transcode(even, scratch.path("a.mkv"), "libx265"))
    }
    let interlaced = ["-flags", "+ildct+ilme", "-x264-params", "tff=1"]
    let changing = try scratch.joined("in.h264", [Scratch.bt709, Scratch.bt709 + interlaced])
    try expectWarning("becomes-interlaced") {
      try $0.run(Self.transcode(changing, scratch.path("a.mkv"), "ffv1"))
    }
  }

  @Test func panelsThatPlayersTurn() throws {
    let scratch = try Scratch()
    let input = try scratch.rotated("in.mov", 0, 0x10000, -0x10000, 0, ["-vf", "scale=640:480"])
    let request = Self.transcode(input, scratch.path("a.mov"), "ffv1") {
      $0.filters = ["scopes=show=waveform:place=right"]
    }
    try expectWarning("filters-rotated-by-players") { try $0.plan(request) }
    let upright = try heard {
      var request = request
      request.geometry.bakesRotation = true
      _ = try $0.plan(request)
    }
    #expect(!upright.warnings.contains { $0.code == "filters-rotated-by-players" })
  }

  @Test func y4mSaysNothingOfColour() throws {
    let scratch = try Scratch()
    let request = Self.transcode(Sample.hdr10, scratch.path("a.y4m")) { $0.mapping.chosenKind = .hdr10 }
    let target = try Session().plan(request).target
    #expect(target.color.transfer == .pq && target.metadata.contentLight?.maxCLL == 1000)
    let display = try #require(target.metadata.masteringDisplay)
    let light = try #require(target.metadata.contentLight)
    let site = target.color.chromaLocation
    try expectNote(
      "y4m-untagged", "--transfer smpte2084", "--chromaloc \(site.rawValue)", "--chroma-sample-position",
      "--master-display \"\(display.integerText)\"", "--mastering-display \"\(display.decimalText)\"",
      "--max-cll \"\(light.text)\"", "--content-light \"\(light.text)\""
    ) { try $0.plan(request) }
  }

  @Test func metadataThatChanges() throws {
    let scratch = try Scratch()
    let parts = try [(1000, 600), (4000, 900)].map { peak, maxCLL in
      try scratch.bytes(scratch.hevc("\(peak).hevc", Scratch.light(peak: peak, maxCLL: maxCLL)))
    }
    let input = try scratch.file("in.hevc", parts[0] + parts[1])
    let heard = try heard { try $0.run(Self.transcode(input, scratch.path("a.mkv"), "ffv1")) }
    let changes = heard.warnings.filter { $0.code == "metadata-rises" }
    #expect(changes.count == 1 && changes.first?.words.contains("at the latest at 0.12 s") == true, "\(heard.warnings)")
  }

  @Test func timesThatMove() throws {
    let scratch = try Scratch()
    let input = try scratch.plain(
      "in.nut", frames: 25, ["-vf", "setpts=(N+floor(N/3))/25/TB", "-vsync", "passthrough"])
    let heard = try heard { try $0.run(Self.transcode(input, scratch.path("a.y4m"))) }
    let moved = heard.warnings.first { $0.code == "timestamps-moved" }
    #expect(moved?.words.contains("1 frame or packet had") == true, "\(heard.warnings)")
    let shifted = heard.warnings.last
    #expect(shifted?.code == "frames-moved", "\(heard.warnings)")
    #expect(shifted?.words.contains("up to 40 ms") == true && shifted?.words.contains(", 25 fps.") == true)
  }

  @Test func sentencesOfTheWriter() throws {
    let scratch = try Scratch()
    var pattern = PatternRequest("window=percent=100:labels=off", output: scratch.path("a.nut"))
    pattern.coding.encoder = "ffv1"
    (pattern.size, pattern.duration) = (Size(width: 128, height: 128), 0.04)
    try expectWarning("output-loss", "The output does not hold MaxCLL and MaxFALL of 1005,1005.") {
      try $0.run($0.plan(pattern))
    }
  }

  /// Top-left siting is kept, or its loss is reported.
  @Test(arguments: [("libaom-av1", "mp4", true), ("libvpx-vp9", "mp4", false), ("ffv1", "nut", false)])
  func sitingIsKeptOrItsLossReported(_ encoder: String, _ suffix: String, _ isKept: Bool) throws {
    let scratch = try Scratch()
    let coding = ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-chroma_sample_location", "topleft"]
    let input = try scratch.clip("in.mkv", frames: 2, coding + Scratch.pq)
    let output = scratch.path("a." + suffix)
    let heard = try heard {
      try $0.run(
        Self.transcode(input, output) { ($0.mapping.chosenKind, $0.coding.encoder) = (.hdr10, encoder) })
    }
    let sentence = "The output does not hold the chroma siting topLeft, but none."
    let reports = heard.warnings.contains { $0.code == "output-loss" && $0.words == sentence }
    #expect(reports == !isKept, "\(heard.warnings)")
    if isKept { #expect(try MediaReader(url: output).video.color.chromaLocation == .topLeft) }
  }
}
