import Foundation
import TestSupport
import Testing

/// HDR10 at a lower peak: tags, metadata of the new peak in stream and first frame, and nothing brighter.
@Suite struct HDR10OutputTests {
  struct Format: Sendable, CustomStringConvertible {
    let name: String
    let arguments: [String]
    var description: String { name }
  }

  static let formats = [
    Format(name: "x265.mp4", arguments: ["-c:v", "libx265", "--preset", "ultrafast", "--crf", "12"]),
    Format(name: "x265.mkv", arguments: ["-c:v", "libx265", "--preset", "ultrafast", "--crf", "12"]),
    Format(name: "av1.mp4", arguments: ["-c:v", "libsvtav1", "--preset", "12", "--crf", "20"]),
  ]

  @Test(arguments: formats)
  func lowerPeak(_ format: Format) throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10_cup") }) else { return }
    let scratch = try Scratch()
    let output = scratch.path(format.name)
    let result = try Command.run(
      ["transcode", clip.path, "-o", output, "--to", "hdr10", "--peak", "600", "--frames", "0-5", "-q"]
        + format.arguments)
    #expect(result.status == 0, "\(result.messages)")
    let probe = try Probe(
      output, ["-show_streams", "-show_frames", "-select_streams", "v", "-read_intervals", "%+#1"])
    let stream = try #require(probe.streams?.first)
    #expect(stream.color_primaries == "bt2020")
    #expect(stream.color_transfer == "smpte2084")
    #expect(stream.color_space == "bt2020nc")
    // FFmpeg 5.1 reads no light level from Matroska whose MaxFALL is 0.
    let isMatroska = format.name.hasSuffix("mkv")
    for list in [isMatroska ? nil : stream.side_data_list, probe.frames?.first?.side_data_list] where list != nil {
      let display = try #require(list?.first("Mastering display metadata"))
      #expect(try value(display.max_luminance) == 600)
      // SVT-AV1 rounds to 1/16384 cd/m² and 1/65536.
      #expect(abs(try value(display.min_luminance) - 0.0005) < 0.5 / 16_384)
      #expect(abs(try value(display.red_x) - 0.68) < 1.0 / 65_536)
      let light = try #require(list?.first("Content light level metadata"))
      // Nothing was measured: MaxFALL is unknown.
      #expect(light.max_content == 600 && light.max_average == 0)
    }
  }

  /// Before lossy coding no pixel is above 600 cd/m², in every component of 4:4:4.
  @Test func nothingIsBrighter() throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10_cup") }) else { return }
    let scratch = try Scratch()
    let output = scratch.path("out.mkv")
    let result = try Command.run([
      "transcode", clip.path, "-o", output, "--to", "hdr10", "--peak", "600", "--frames", "0-3", "-q", "-c:v", "ffv1",
      "--pixel-format", "yuv444p10le",
    ])
    #expect(result.status == 0, "\(result.messages)")
    let data = try Tool.ffmpeg.run([
      "-i", output, "-map", "0:v", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-",
    ])
    let codes = data.words
    let plane = 1920 * 1080
    #expect(codes.count == 4 * 3 * plane)
    var brightest = 0.0
    for frame in 0..<4 {
      for index in 0..<plane {
        let at = frame * 3 * plane + index
        let y = (Double(codes[at]) - 64) / 876
        let cb = (Double(codes[at + plane]) - 512) / 896
        let cr = (Double(codes[at + 2 * plane]) - 512) / 896
        let green = y - 0.16455 * cb - 0.57135 * cr
        brightest = max(brightest, y + 1.4746 * cr, green, y + 1.8814 * cb)
      }
    }
    // PQ of 600 cd/m² is 0.696294.
    #expect(brightest <= 0.6962945)
    #expect(brightest > 0.6)
  }

  @Test func unchangedRangeKeepsTheValues() throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10plus_tos_1950x816") }) else { return }
    let scratch = try Scratch()
    let output = scratch.path("out.mp4")
    let result = try Command.run(
      ["transcode", clip.path, "-o", output, "--to", "hdr10", "-q", "-c:v", "libx265", "--preset", "ultrafast"])
    #expect(result.status == 0, "\(result.messages)")
    let arguments = ["-show_streams", "-show_frames", "-select_streams", "v", "-read_intervals", "%+#1"]
    let (source, made) = (try Probe(clip.path, arguments), try Probe(output, arguments))
    let wanted = try #require(source.frames?.first?.side_data_list)
    for list in [made.streams?.first?.side_data_list, made.frames?.first?.side_data_list] {
      let (a, b) = (wanted.first("Mastering display metadata"), list?.first("Mastering display metadata"))
      #expect(try value(a?.max_luminance) == value(b?.max_luminance))
      #expect(try value(a?.min_luminance) == value(b?.min_luminance))
      #expect(try value(a?.green_y) == value(b?.green_y))
      let (c, d) = (wanted.first("Content light level metadata"), list?.first("Content light level metadata"))
      #expect(c?.max_content == d?.max_content && c?.max_average == d?.max_average)
    }
  }

  /// MaxCLL is the most that the mapping makes of any code of the source; unchanged light says no more than the source.
  @Test(arguments: [
    ("arib-std-b67", ["--peak", "4000"], 1825), ("bt709", [], 251), ("bt709", ["--sdr-white", "300"], 371),
    ("bt709", ["--peak", "203"], 203),
    ("smpte2084", ["--sdr-white", "101.5"], 1000), ("smpte2084", ["--peak", "2000"], 2000), ("smpte2084", [], nil),
  ])
  func maxCLLIsTrue(_ transfer: String, _ options: [String], _ expected: Int?) throws {
    let scratch = try Scratch()
    let isSDR = transfer == "bt709"
    let input = try scratch.clip(
      "in.mkv",
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-color_trc", transfer, "-color_primaries",
        isSDR ? "bt709" : "bt2020", "-colorspace", isSDR ? "bt709" : "bt2020nc",
      ])
    let output = scratch.path("out.mp4")
    let result = try Command.run(
      ["transcode", input, "-o", output, "--to", "hdr10", "-q", "-c:v", "libx265", "--preset", "ultrafast"] + options)
    #expect(result.status == 0, "\(result.messages)")
    let list = try Probe(output, ["-show_streams"]).streams?.first?.side_data_list
    #expect(list?.first("Content light level metadata")?.max_content == expected)
    // The display can show what is said to be there.
    if let expected {
      #expect(try value(list?.first("Mastering display metadata")?.max_luminance) >= Double(expected))
    }
  }

  /// "6000000/10000"
  private func value(_ text: String?) throws -> Double {
    let parts = try #require(text).split(separator: "/").compactMap { Double($0) }
    return parts[0] / parts[1]
  }
}
