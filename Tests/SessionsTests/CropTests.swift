import ColorScience
import Foundation
import Frames
import ImageFiles
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Parts of pictures, and black bars that are found.
@Suite struct CropTests {
  private static let size = Size(width: 320, height: 180)

  /// A clip in PQ, lossless: what `filter` makes of bars of light on black.
  /// - Parameter graph: Of FFmpeg, with the bars as its input.
  private static func clip(
    _ scratch: Scratch, _ graph: String, format: String = "yuv420p10le", _ tags: [String] = Scratch.pq
  ) throws -> String {
    let path = scratch.path("\(UUID().uuidString).mkv")
    try Tool.ffmpeg.run(
      ["-f", "lavfi", "-i", "testsrc2=s=320x132:r=25", "-frames:v", "12", "-filter_complex"]
        + ["format=\(format)," + graph + ",setparams=range=tv", "-pix_fmt", format, "-c:v", "ffv1"] + tags + [path])
    return path
  }

  private static func request(
    _ input: String, _ crop: CropRequest?, _ change: (inout TranscodeRequest) -> Void = { _ in }
  ) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: nil)
    request.coding.format = "null"
    request.geometry.crop = crop
    change(&request)
    return request
  }

  private static let codes: Set<Message.Code> = [
    "looking-for-black-bars", "black-bars-cropped", "no-black-bars", "all-frames-black", "lit-area-too-small",
  ]

  /// What is kept, and what is told about it.
  private static func kept(
    _ input: String, _ change: (inout TranscodeRequest) -> Void = { _ in }
  ) throws -> (area: PictureArea?, notes: [Message]) {
    let heard = Heard()
    let plan = try Session(onEvent: heard.add).plan(Self.request(input, .automatic, change))
    let notes = heard.notes.filter { codes.contains($0.code) }
    return (plan.geometry.shownCrop, notes)
  }

  private static let letterbox = PictureArea(x: 0, y: 24, width: 320, height: 132)
  private static let pad = "pad=320:180:0:24:black"

  @Test func letterboxIsFound() throws {
    let scratch = try Scratch()
    let path = try Self.clip(scratch, Self.pad)
    let (area, notes) = try Self.kept(path)
    #expect(area == Self.letterbox)
    #expect(notes.map(\.code) == ["looking-for-black-bars", "black-bars-cropped"])
    #expect(notes.first?.words.contains("'\(path)'") == true)
    #expect(
      notes.last?.words == "Auto crop: bars of 24 rows at the top and 24 at the bottom; \(Self.letterbox) is kept.")
  }

  /// Noise in the bars, bars on all sides, odd edges that are enlarged to even ones.
  @Test func noiseIsNoPicture() throws {
    let scratch = try Scratch()
    // Luma 64 ± 8 and chroma 512 ± 8 of ten bits.
    let noise =
      "geq=lum='if(between(X,33,286)*between(Y,25,154),lum(X,Y),56+random(1)*16)'"
      + ":cb='if(between(X,17,142)*between(Y,13,76),cb(X,Y),504+random(2)*16)'"
      + ":cr='if(between(X,17,142)*between(Y,13,76),cr(X,Y),504+random(3)*16)'"
    let path = try Self.clip(scratch, "scale=320:180,\(noise)")
    let (area, notes) = try Self.kept(path)
    #expect(area == PictureArea(x: 32, y: 24, width: 256, height: 132))
    #expect(notes.last?.words.contains("24 at the bottom, and of 32 columns on the left and 32 on the right;") == true)
    let hlg = Scratch.pq.map { $0 == "smpte2084" ? "arib-std-b67" : $0 }
    #expect(try Self.kept(Self.clip(scratch, "scale=320:180,\(noise)", hlg)).area?.width == 256)
    // Of eight bits: 16 ± 4 and 128 ± 2.
    let coarse = noise.replacing("56+random(1)*16", with: "12+random(1)*8")
      .replacing("504+random(2)*16", with: "126+random(2)*4").replacing("504+random(3)*16", with: "126+random(3)*4")
    let sdr = try Self.clip(scratch, "scale=320:180,\(coarse)", format: "yuv420p", Scratch.bt709)
    #expect(try Self.kept(sdr).area?.width == 256)
  }

  /// Grey letters of a point size that nobody could read, in one frame, in each of the transfer functions.
  @Test(arguments: [
    ("yuv420p10le", "smpte2084", 64 + 64), ("yuv420p10le", "arib-std-b67", 64 + 64), ("yuv420p", "bt709", 16 + 16),
  ])
  func lettersInBarsAreKept(_ format: String, _ transfer: String, _ code: Int) throws {
    let scratch = try Scratch()
    let tags = Scratch.pq.map { $0 == "smpte2084" ? transfer : $0 }
    let letter = "geq=lum='if(eq(N,7)*between(X,150,151)*eq(Y,169),\(code),lum(X,Y))':cb='cb(X,Y)':cr='cr(X,Y)'"
    let path = try Self.clip(scratch, "\(Self.pad),\(letter)", format: format, tags)
    #expect(try Self.kept(path).area == PictureArea(x: 0, y: 24, width: 320, height: 146))
  }

  /// A dark beginning, and pictures without bars in the middle.
  @Test func theLargestPictureIsKept() throws {
    let scratch = try Scratch()
    let dark = "geq=lum='if(lt(N,6),64,lum(X,Y))':cb='if(lt(N,6),512,cb(X,Y))':cr='if(lt(N,6),512,cr(X,Y))'"
    #expect(try Self.kept(Self.clip(scratch, "\(dark),\(Self.pad)")).area == Self.letterbox)
    let wide = "split[a][b];[a]\(Self.pad)[c];[b]scale=320:180[d];[c][d]overlay=enable='between(n,4,5)'"
    let path = try Self.clip(scratch, wide)
    let (area, notes) = try Self.kept(path)
    #expect(area == nil && notes.last?.code == "no-black-bars")
    // What is not selected does not count.
    #expect(try Self.kept(path) { $0.selection.range = FrameRange(first: 6, last: 9) }.area == Self.letterbox)
  }

  @Test func blackFilmsAndSpecksAreNotCropped() throws {
    let scratch = try Scratch()
    let black = try Self.clip(scratch, "scale=320:180,geq=lum=64:cb=512:cr=512")
    #expect(try Self.kept(black).notes.last?.code == "all-frames-black")
    let speck = try Self.clip(
      scratch, "scale=320:180,geq=lum='if(between(X,9,30)*between(Y,9,30),500,64)':cb=512:cr=512")
    #expect(try Self.kept(speck).notes.last?.code == "lit-area-too-small")
  }

  /// The rows that fields of 4:2:0 need, until they are deinterlaced.
  @Test func fieldsNeedMultiplesOfFour() throws {
    let scratch = try Scratch()
    let path = try Self.clip(scratch, "crop=320:130,pad=320:180:0:26:black,interlace=lowpass=off")
    #expect(try Self.kept(path).area == PictureArea(x: 0, y: 24, width: 320, height: 132))
    let deinterlaced = try Self.kept(path) { $0.geometry.deinterlacing = .frame }
    // Rows 24 and 26 share chroma, as they are of one field. What the filter spreads beyond is no part of the picture.
    #expect(deinterlaced.area == PictureArea(x: 0, y: 24, width: 320, height: 132))
    let wanted = PictureArea(x: 2, y: 26, width: 300, height: 130)
    expectRefusal(
      "crop-not-aligned", "crop 300:130:2:26 ", "multiples of 2, H and Y of 4, because it is interlaced.",
      "nearest is 300:132:2:28; deinterlace"
    ) { try $0.plan(Self.request(path, .area(wanted))) }
  }

  /// Bars are those of the fields, with two frames for each picture as well, and where light is measured.
  @Test func barsOfFieldsAreFound() throws {
    let scratch = try Scratch()
    let path = try Self.clip(scratch, "crop=320:120,pad=320:180:0:28:black,interlace=lowpass=off")
    let expected = PictureArea(x: 0, y: 28, width: 320, height: 120)
    for mode in [nil, Deinterlacing.frame, .field] {
      #expect(try Self.kept(path) { $0.geometry.deinterlacing = mode }.area == expected)
    }
    let (area, notes) = try Self.kept(path) {
      ($0.geometry.deinterlacing, $0.metadata.inputLight) = (.field, .measured)
      $0.selection.range = FrameRange(first: 3, last: 6)
    }
    #expect(area == expected && notes.first?.code == "looking-for-black-bars")
  }

  @Test func impossibleCropsAreRefused() throws {
    let scratch = try Scratch()
    let path = try Self.clip(scratch, Self.pad)
    let outside = PictureArea(x: 2, y: 0, width: 320, height: 100)
    expectRefusal("crop-outside-picture", "crop 320:100:2:0 ", "\(Self.size)") {
      try $0.plan(Self.request(path, .area(outside)))
    }
    let odd = PictureArea(x: 1, y: 0, width: 99, height: 100)
    expectRefusal(
      "crop-not-aligned", "crop 99:100:1:0 ", "multiples of 2, H and Y of 2.", "nearest is 100:100:2:0."
    ) { try $0.plan(Self.request(path, .area(odd))) }
    expectRefusal("input-not-repeatable", "'-'", "which crop auto needs") {
      try $0.plan(Self.request("-", .automatic))
    }
  }

  @Test func theMiddleIsThatOfFFmpeg() throws {
    let scratch = try Scratch()
    let path = try Self.clip(scratch, Self.pad)
    let plan = try Session().plan(Self.request(path, .centered(Size(width: 102, height: 50))))
    // (320 - 102) / 2 is 109, which the chroma of 4:2:0 makes 108.
    #expect(plan.geometry.shownCrop == PictureArea(x: 108, y: 64, width: 102, height: 50))
    #expect(plan.geometry.steps == "cropped to 102x50+108+64")
  }

  /// The light that is measured is that of what is kept, and what the input states of the whole is not stated of a part.
  @Test func lightIsThatOfWhatIsKept() throws {
    let scratch = try Scratch()
    let input = try scratch.made(
      "a.mkv", size: "128x96", frames: 2,
      [
        "-vf", "pad=128:160:0:32:black", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
        "log-level=none" + Scratch.light(peak: 1000, maxCLL: 900),
      ] + Scratch.pq)
    func plan(_ crop: CropRequest?, measures: Bool) throws -> TranscodePlan {
      try Session().plan(
        Self.request(input, crop) {
          $0.mapping.chosenKind = .hdr10
          if measures { $0.metadata.inputLight = .measured }
        })
    }
    let (whole, part) = try (plan(nil, measures: true).measured, plan(.automatic, measures: true).measured)
    let area = try plan(.area(PictureArea(x: 0, y: 32, width: 128, height: 96)), measures: true).measured
    let (all, kept) = (try #require(whole?.maxFALL), try #require(part?.maxFALL))
    #expect(abs(kept / all - 160.0 / 96) < 0.01)
    // The chroma of the first row of a picture is interpolated with that of its bar.
    #expect(abs(kept / (area?.maxFALL ?? 0) - 1) < 0.02 && part?.maxCLL == whole?.maxCLL)
    let stated = try (plan(nil, measures: false).video.metadata, plan(.automatic, measures: false).video.metadata)
    #expect(stated.0.contentLight?.maxCLL == 900 && stated.0.contentLight?.maxFALL != 0)
    #expect(stated.1.contentLight == ContentLight(maxCLL: 900, maxFALL: 0))
  }

  /// Pictures, scaled, of a file that is shown rotated: everything is in the orientation of the output.
  @Test func areasAreThoseOfTheOutput() throws {
    let scratch = try Scratch()
    let plain = try Self.clip(scratch, "pad=320:180:0:16:black")
    let input = scratch.path("a.mov")
    try Tool.ffmpeg.run(["-i", plain, "-c", "copy", "-metadata:s:v", "rotate=90", input])
    var request = PictureRequest(input: input, output: scratch.path("a-%d.png"), format: .png)
    request.geometry.crop = .automatic
    request.selection.range = FrameRange(first: 3, last: 3)
    let plan = try Session().plan(request)
    let shown = try #require(plan.geometry.shownCrop)
    #expect(plan.geometry.crop?.area == PictureArea(x: 0, y: 16, width: 320, height: 132))
    #expect(shown.width == 132 && shown.height == 320 && [16, 32].contains(shown.x))
    request.geometry.crop = .area(shown)
    #expect(try Session().plan(request).geometry == plan.geometry)
    #expect(try Session().run(plan) == .finished)
    let probe = try Probe(scratch.path("a-3.png"), ["-show_streams"])
    #expect(probe.streams?.first?.width == 132 && probe.streams?.first?.height == 320)
  }

  /// Lossy encoders light bars beside the picture: bars of twelve rows in coarse blocks, a dark film, pillars.
  @Test(arguments: [
    ("pad=320:180:0:24:black", ["-c:v", "libx264", "-crf", "36"], PictureArea(x: 0, y: 24, width: 320, height: 132)),
    (
      "scale=320:156,pad=320:180:0:12:black", ["-c:v", "mpeg4", "-q:v", "18"],
      PictureArea(x: 0, y: 12, width: 320, height: 156)
    ),
    (
      "eq=brightness=-0.3:contrast=0.3,pad=320:180:0:24:black", ["-c:v", "libx264", "-crf", "32"],
      PictureArea(x: 0, y: 24, width: 320, height: 132)
    ),
    (
      "scale=240:180,pad=320:180:40:0:black", ["-c:v", "mpeg2video", "-q:v", "20"],
      PictureArea(x: 40, y: 0, width: 240, height: 180)
    ),
  ]) func barsOfLossyFilmsAreFound(_ filter: String, _ coding: [String], _ expected: PictureArea) throws {
    let scratch = try Scratch()
    let path = scratch.path("a.mkv")
    try Tool.ffmpeg.run(
      ["-f", "lavfi", "-i", "testsrc2=s=320x132:r=25", "-frames:v", "12", "-vf", filter, "-pix_fmt", "yuv420p"] + coding
        + Scratch.bt709 + [path])
    #expect(try Self.kept(path).area == expected)
  }

  @Test func theCaseHasNoBarsLeft() throws {
    guard let path = Case.path("bars_lossy.mkv") else { return }
    #expect(try Self.kept(path).area == PictureArea(x: 0, y: 44, width: 640, height: 272))
  }

  /// White letters that touch the picture, in three frames of a lossy film, and a higher limit for noise.
  @Test func lettersInLossyBarsAreKept() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.mkv")
    let letters = "drawbox=x=100:y=150:w=4:h=20:color=white:t=fill:enable='between(n,5,7)'"
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x132:r=25", "-frames:v", "12", "-vf", "\(Self.pad),\(letters)", "-pix_fmt",
        "yuv420p", "-c:v", "libx264", "-crf", "34",
      ] + Scratch.bt709 + [path])
    let kept = try #require(try Self.kept(path).area)
    #expect(kept.maxY >= 170 && kept.y == 24)
  }

  /// Noise that is brighter than black is not cropped, unless the limit says that it is black.
  @Test func theLimitDecides() throws {
    let scratch = try Scratch()
    let noise = "geq=lum='if(between(Y,24,155),lum(X,Y),64+random(1)*90)':cb='if(between(Y,12,77),cb(X,Y),512)':cr=512"
    let path = try Self.clip(scratch, "scale=320:180,\(noise)")
    #expect(try Self.kept(path).area == nil)
    #expect(try Self.kept(path) { $0.geometry.cropLimit = 0.12 }.area == Self.letterbox)
    expectRefusal("crop-limit-without-search", "crop auto") {
      try $0.plan(Self.request(path, .centered(Size(width: 64, height: 64))) { $0.geometry.cropLimit = 0.1 })
    }
    expectRefusal(.outOfRange(.cropLimit, 0.5, 0.01...0.25)) {
      try $0.plan(Self.request(path, .automatic) { $0.geometry.cropLimit = 0.5 })
    }
  }

  @Test func impossibleBorders() throws {
    let scratch = try Scratch()
    let path = try Self.clip(scratch, "scale=320:180")
    func refuses(_ code: Message.Code, _ part: String, _ origin: GeometryRequest.Padding.Origin?, width: Int) {
      expectRefusal(code, part) {
        try $0.plan(
          Self.request(path, nil) { request in
            var padding = GeometryRequest.Padding(Size(width: width, height: 200))
            padding.origin = origin
            request.geometry.padding = padding
          })
      }
    }
    refuses("picture-larger-than-pad", "the 320x180 picture", nil, width: 318)
    refuses("picture-larger-than-pad", "the 320x180 picture", .init(x: 4, y: 0), width: 322)
    refuses("pad-not-aligned", "3:0 of pad", .init(x: 3, y: 0), width: 400)
  }
}
