import Foundation
import TestSupport
import Testing

/// Dynamic metadata of the input in the commands.
@Suite struct DynamicMetadataCommandTests {
  struct Report: Decodable {
    struct Stream: Decodable { let side_data_list: [SideData]? }
    struct SideData: Decodable {
      let side_data_type: String
      let targeted_system_display_maximum_luminance: String?
      let maxscl: [String]?
      let knee_point_x: String?
      let bezier_curve_anchors: [String]?
      let hdr_reference_white: Int?
      let use_reference_white_tone_mapping_flag: Int?
    }
    let streams: [Stream]
  }

  /// Ten pictures of PQ ramps with ST 2094-50: reference white 100 cd/m², headroom of three stops, the standard's operator.
  private func adaptive(_ scratch: Scratch, message: [UInt8]? = nil) throws -> String {
    var bits = BitWriter()
    for (value, width) in [
      (0xB5, 8), (0x90, 16), (1, 16), (0, 8), (3, 2), (0, 6), (500, 16), (30_000, 16), (1, 1), (0, 7),
    ] {
      bits.put(value, width)
    }
    let raw = try scratch.clip(
      "a.hevc", frames: 10,
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=none:bframes=0:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited", "-f", "hevc",
      ])
    try Injection.inject(Array(repeating: message ?? bits.bytes, count: 10), into: raw, .hevc)
    let path = scratch.path("a.mkv")
    try Tool.ffmpeg.run(["-r", "25", "-i", raw, "-c", "copy", path])
    return path
  }

  private func hash(_ path: String, _ arguments: [String]) throws -> String {
    let result = try Command.program(["transcode", path, "-o", "-", "-f", "framemd5", "-q"] + arguments)
    #expect(result.status == 0, "\(result.messages)")
    return result.output
  }

  @Test func probeShowsIt() throws {
    let scratch = try Scratch()
    let path = try adaptive(scratch)
    let text = try Command.run(["probe", path]).output
    #expect(text.contains("reference white 100 cd/m², headroom 3 stops, reference white tone mapping"))
    let json = try Command.run(["probe", "--json", path]).output
    let list = try JSONDecoder().decode(Report.self, from: Data(json.utf8)).streams[0].side_data_list ?? []
    let map = try #require(list.first { $0.side_data_type.contains("2094-50") })
    #expect(map.hdr_reference_white == 500 && map.use_reference_white_tone_mapping_flag == 1)
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10plus_samsung") }) else { return }
    let phone = try Command.run(["probe", "--json", clip.path]).output
    let sideData = try JSONDecoder().decode(Report.self, from: Data(phone.utf8)).streams.flatMap {
      $0.side_data_list ?? []
    }
    let plus = try #require(sideData.first { $0.side_data_type.contains("HDR10+") })
    #expect(plus.targeted_system_display_maximum_luminance == "400/1" && plus.knee_point_x == "32/4095")
    #expect(plus.maxscl == ["16190/100000", "15310/100000", "21890/100000"])
    #expect(plus.bezier_curve_anchors?.first == "169/1023" && plus.bezier_curve_anchors?.count == 9)
  }

  /// The metadata says what options can say as well.
  @Test func theOperatorByMetadataIsThatByOptions() throws {
    let scratch = try Scratch()
    let path = try adaptive(scratch)
    let used = try hash(path, [])
    let ignored = try hash(path, ["--dynamic-metadata", "ignore"])
    #expect(used != ignored)
    // The content's peak of 800 cd/m² by static metadata, its reference white by option.
    let plain = scratch.path("plain.mkv")
    try Tool.ffmpeg.run([
      "-i", path, "-c", "copy", "-bsf:v", "filter_units=remove_types=39", plain,
    ])
    let coded = scratch.path("coded.mkv")
    try Tool.ffmpeg.run([
      "-i", plain, "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
      "log-level=none:lossless=1:max-cll=800,100:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
      coded,
    ])
    let byOptions = try hash(coded, ["--reference-white", "100", "--tone-map", "st2094-50"])
    #expect(sums(used) == sums(byOptions))
  }

  private func sums(_ report: String) -> [String] {
    report.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
      $0.split(separator: ",").last.map(String.init)
    }
  }

  @Test func malformedMetadataIsSaidOnce() throws {
    let scratch = try Scratch()
    let path = try adaptive(scratch, message: [0xB5, 0x00, 0x90, 0x00, 0x01, 0x00])
    let result = try Command.run(["transcode", path, "-f", "null"])
    #expect(result.status == 0)
    #expect(result.messages.components(separatedBy: "Ignored: ST 2094-50 metadata in 10 packets").count == 2)
    #expect(try Command.run(["probe", path]).output.contains("it is truncated"))
  }

  @Test func aCurveThatIsIgnoredIsWrongUsage() throws {
    let result = try Command.run([
      "transcode", "/nowhere.mp4", "-f", "null", "--tone-map", "st2094-40", "--dynamic-metadata", "ignore",
    ])
    #expect(result.status == 2 && result.messages.contains("drop one"))
  }

  /// A phone's metadata, new for every frame, compared with repeating that of the first: one mapping.
  @Test func oneMappingForAPhone() throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10plus_samsung") }) else { return }
    let whole = sums(try hash(clip.path, ["--frames", "0-7"]))
    let ignored = sums(try hash(clip.path, ["--frames", "0-7", "--dynamic-metadata", "ignore"]))
    let named = sums(try hash(clip.path, ["--frames", "0-7", "--tone-map", "st2094-40"]))
    let system = sums(try hash(clip.path, ["--frames", "0-7", "--tone-map", "system", "--dynamic-metadata", "ignore"]))
    #expect(whole.count == 8 && whole == named && ignored == system && whole != ignored)
  }

  /// Dynamic metadata is never copied to pixels that it does not describe.
  @Test func theOutputHasNone() throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10plus_samsung") }) else { return }
    let scratch = try Scratch()
    let path = scratch.path("a.mkv")
    let result = try Command.run([
      "transcode", clip.path, "-o", path, "--to", "hdr10", "--peak", "500", "--frames", "0-3", "-c:v", "libx265",
      "--preset", "ultrafast",
    ])
    #expect(result.status == 0 && result.messages.contains("HDR10+: each shot uses the tone curve"))
    let probe = try Probe(path, ["-show_frames", "-show_streams"])
    let types = (probe.frames ?? []).flatMap { $0.side_data_list ?? [] }.compactMap(\.side_data_type)
    #expect(types.contains("Mastering display metadata") && !types.contains { $0.contains("2094") })
  }
}
