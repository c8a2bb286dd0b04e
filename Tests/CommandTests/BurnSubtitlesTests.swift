import ColorScience
import Foundation
import TestSupport
import Testing

/// Subtitles in the picture, as ffmpeg decodes it.
@Suite struct BurnSubtitlesTests {
  private static let size = (width: 320, height: 180)

  /// Luma and chroma of every frame.
  private struct Film {
    let frames: [[UInt16]]

    init(_ path: String) throws {
      let samples = try Tool.ffmpeg.run([
        "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-",
      ]).words
      let count = size.width * size.height * 3 / 2
      frames = (0..<samples.count / count).map { Array(samples[$0 * count..<($0 + 1) * count]) }
    }

    func luma(_ frame: Int, _ x: Int, _ y: Int) -> Int { Int(frames[frame][y * size.width + x]) }

    func chroma(_ frame: Int, _ plane: Int, _ x: Int, _ y: Int) -> Int {
      let (width, height) = (size.width / 2, size.height / 2)
      return Int(frames[frame][size.width * size.height + plane * width * height + y * width + x])
    }
  }

  /// A moving picture of ten frames, from zero on.
  private static func source(_ scratch: Scratch, _ arguments: [String] = []) throws -> String {
    try scratch.clip(
      "in.mkv", size: "320x180", frames: 10,
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
        "-colorspace", "bt2020nc", "-color_range", "tv",
      ] + arguments)
  }

  /// A white box from column 100 to 159 and row 120 to 149, in frames 2 to 5.
  private static func script(_ scratch: Scratch) throws -> String {
    let text = """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: 320
      PlayResY: 180

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, Outline, Shadow, Alignment
      Style: Default,DejaVu Sans,20,&H00FFFFFF,0,0,7

      [Events]
      Format: Layer, Start, End, Style, Text
      Dialogue: 0,0:00:00.08,0:00:00.24,Default,{\\pos(0,0)\\p1}m 100 120 l 160 120 160 150 100 150

      """
    return try written(scratch, "box.ass", Data(text.utf8))
  }

  private static func written(_ scratch: Scratch, _ name: String, _ data: Data) throws -> String {
    try data.write(to: URL(fileURLWithPath: scratch.path(name)))
    return scratch.path(name)
  }

  private static func transcode(_ input: String, _ output: String, _ arguments: [String]) throws -> Command.Result {
    let result = try Command.run(
      ["transcode", input, "-o", output, "-c:v", "ffv1", "--pixel-format", "yuv420p10le", "-q"] + arguments)
    #expect(result.status == 0, "\(result.messages)")
    return result
  }

  /// White is 203 cd/m² in PQ, 75 % in HLG, and white in SDR; nothing else changes.
  ///
  /// Source: ITU-R BT.2408-7, table 1: 58 % of PQ and 75 % of HLG.
  @Test(arguments: [("hdr10", 573), ("hlg", 721), ("sdr", 940)])
  func graphicsWhite(_ kind: String, _ code: Int) throws {
    if kind == "hdr10" { #expect(Int((PQ.inverseEOTF(203) * 876 + 64).rounded()) == code) }
    let scratch = try Scratch()
    let (input, script) = (try Self.source(scratch), try Self.script(scratch))
    let (plain, drawn) = (scratch.path("plain.mkv"), scratch.path("drawn.mkv"))
    _ = try Self.transcode(input, plain, ["--to", kind])
    _ = try Self.transcode(input, drawn, ["--to", kind, "--burn-subtitles", script])
    let (before, after) = (try Film(plain), try Film(drawn))
    #expect(after.frames.count == 10)
    for frame in 0..<10 {
      if !(2..<6 ~= frame) {
        #expect(before.frames[frame] == after.frames[frame])
        continue
      }
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          // libass covers its outermost pixels in part.
          let isInside = 101..<159 ~= x && 121..<149 ~= y
          let isEdge = !isInside && 99..<161 ~= x && 119..<151 ~= y
          let expected = isInside ? code : before.luma(frame, x, y)
          if !isEdge, after.luma(frame, x, y) != expected { Issue.record("\(frame): \(x), \(y)") }
          guard x % 2 == 0, y % 2 == 0 else { continue }
          // Chroma of the edge is of both sides.
          let (isNear, isDeep) = (
            98..<163 ~= x && 118..<153 ~= y, 104..<156 ~= x && 124..<146 ~= y
          )
          for plane in 0..<2 {
            let found = after.chroma(frame, plane, x / 2, y / 2)
            if isDeep, found != 512 { Issue.record("\(frame): chroma \(x), \(y)") }
            if !isNear, found != before.chroma(frame, plane, x / 2, y / 2) { Issue.record("\(frame): \(x), \(y)") }
          }
        }
      }
    }
  }

  /// A cut, and frames that do not begin at zero, show what belongs to their time.
  @Test func timesAreThoseOfTheInput() throws {
    let scratch = try Scratch()
    let (input, script) = (try Self.source(scratch), try Self.script(scratch))
    func drawn(_ input: String, _ arguments: [String]) throws -> [Int] {
      let output = scratch.path("out.mkv")
      _ = try Self.transcode(input, output, ["--to", "hdr10", "--overwrite"] + arguments)
      let film = try Film(output)
      return film.frames.indices.filter { film.luma($0, 130, 135) == 573 && film.luma($0, 110, 140) == 573 }
    }
    let burning = ["--burn-subtitles", script]
    #expect(try drawn(input, burning) == [2, 3, 4, 5])
    #expect(try drawn(input, burning + ["--start", "0.12"]) == [0, 1, 2])
    #expect(try drawn(input, burning + ["--threads", "1"]) == [2, 3, 4, 5])
    // Another file's times begin with the film, those of the film's own stream are on its clock.
    let (both, late) = (scratch.path("both.mkv"), scratch.path("late.mkv"))
    try Tool.ffmpeg.run(["-i", input, "-i", script, "-map", "0", "-map", "1", "-c", "copy", both])
    try Tool.ffmpeg.run([
      "-copyts", "-itsoffset", "7", "-i", both, "-map", "0", "-c", "copy", "-avoid_negative_ts", "disabled", late,
    ])
    #expect(try drawn(both, ["--burn-subtitles", "s:0"]) == [2, 3, 4, 5])
    #expect(try drawn(late, ["--burn-subtitles", "s:0"]) == [2, 3, 4, 5])
    #expect(try drawn(late, burning) == [2, 3, 4, 5])
  }

  /// Pixels that are rotated and pixels that the player rotates show the same upright text.
  @Test func rotatedPictures() throws {
    let scratch = try Scratch()
    let script = try Self.script(scratch)
    // 180 by 320 pixels, shown as 320 by 180.
    let upright = try scratch.clip("up.mp4", size: "180x320", ["-pix_fmt", "yuv420p", "-c:v", "libx264"])
    let input = scratch.path("in.mp4")
    try Tool.ffmpeg.run(["-i", upright, "-c", "copy", "-metadata:s:v:0", "rotate=90", input])
    let (baked, left) = (scratch.path("baked.mkv"), scratch.path("left.mp4"))
    _ = try Self.transcode(input, baked, ["--bake-rotation", "--burn-subtitles", script])
    let result = try Command.run([
      "transcode", input, "-o", left, "--burn-subtitles", script, "-q", "-c:v", "libx264", "--crf", "0",
      "--pixel-format", "yuv420p10le",
    ])
    #expect(result.status == 0, "\(result.messages)")
    // ffmpeg rotates as a player does; ten bits of x264 are not without loss.
    for path in [baked, left] {
      let film = try Film(path)
      let white = (0..<Self.size.height).map { y in
        (0..<Self.size.width).filter { film.luma(3, $0, y) > 935 && film.luma(1, $0, y) < 900 }
      }
      #expect(film.luma(3, 102, 122) > 935 && film.luma(3, 157, 147) > 935, "\(path)")
      #expect(white[..<118].joined().isEmpty && white[152...].joined().isEmpty, "\(path)")
    }
  }

  /// Blu-ray's pictures, in a film of another size.
  @Test func picturesOfBluRay() throws {
    let scratch = try Scratch()
    let input = try Self.source(scratch)
    var titles = BluRaySubtitles(width: 1920, height: 1080)
    titles.show(.init(x: 600, y: 720, width: 360, height: 180), at: 0.08)
    titles.show(nil, at: 0.24)
    let file = try Self.written(scratch, "a.sup", titles.data)
    let (muxed, output) = (scratch.path("muxed.mkv"), scratch.path("out.mkv"))
    try Tool.ffmpeg.run(["-copyts", "-i", input, "-i", file, "-map", "0", "-map", "1", "-c", "copy", muxed])
    for arguments in [[input, file], [muxed, "s:0"]] {
      _ = try Self.transcode(
        arguments[0], output, ["--to", "hdr10", "--burn-subtitles", arguments[1], "--overwrite"])
      let film = try Film(output)
      for frame in 0..<10 {
        let isWhite = [(101, 121), (130, 135), (158, 148)].allSatisfy { film.luma(frame, $0.0, $0.1) == 573 }
        #expect(isWhite == (2..<6 ~= frame), "\(arguments) \(frame)")
      }
    }
  }

  /// Subtitles over a dark film: what it states is what any reading of its frames finds.
  @Test func statedLightHolds() throws {
    let scratch = try Scratch()
    let path = scratch.path("red.mkv")
    // About 100 cd/m² of red: chroma of its edges with white reads as more than either.
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "color=size=320x180:rate=25,format=gbrp10le,geq=r=520:g=1:b=1", "-frames:v", "4", "-vf",
      "scale=out_color_matrix=bt2020:out_range=tv", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
      "log-level=none:lossless=1:hdr10=1:max-cll=100,50:master-display=G(8500,39850)B(6550,2300)R(35400,14600)"
        + "WP(15635,16450)L(10000000,50)", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace",
      "bt2020nc", "-color_range", "tv", path,
    ])
    let titles = try Self.written(scratch, "a.srt", Data("1\n00:00:00,000 --> 00:00:01,000\nWhite letters\n".utf8))
    let output = scratch.path("out.mkv")
    _ = try Self.transcode(path, output, ["--to", "hdr10", "--burn-subtitles", titles])
    let measured = scratch.path("light.json")
    let result = try Command.run(["measure", output, "-o", measured, "-q"])
    #expect(result.status == 0, "\(result.messages)")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: measured)))
    let most = try #require((json as? [String: Any])?["max_cll"] as? Double)
    // White is code 573, and 204 is stated.
    #expect(150...204 ~= most)
  }

  @Test func refusals() throws {
    let scratch = try Scratch()
    let (input, output) = (try Self.source(scratch), scratch.path("out.mkv"))
    let missing = try Command.run(["transcode", input, "-o", output, "--burn-subtitles", "s:0"])
    #expect(missing.status == 2 && missing.messages.contains("'s:0'") && missing.messages.contains("none"))
    let picture = try Command.run([
      "transcode", input, "-o", scratch.path("a.png"), "--burn-subtitles", try Self.script(scratch),
    ])
    #expect(picture.status == 2 && picture.messages.contains("--burn-subtitles"))
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
