import ColorScience
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Where a rendition leaves light unchanged, code values arrive unchanged. ffmpeg decodes and compares both files.
@Suite struct UnchangedCodesTests {
  /// Noise over all codes, the reserved ones included.
  private static func noise(_ scratch: Scratch, _ format: String, _ tags: [String], size: String = "66x48") throws
    -> String
  {
    let path = scratch.path("in.mkv")
    let peak = format.contains("12") ? 4095 : format.contains("10") ? 1023 : 255
    let plane = "random(1)*\(peak)"
    let planes =
      format.hasPrefix("gbr") ? "r='\(plane)':g='\(plane)':b='\(plane)'" : "lum='\(plane)':cb='\(plane)':cr='\(plane)'"
    try Tool.ffmpeg.run(
      ["-f", "lavfi", "-i", "nullsrc=size=\(size):rate=25,format=\(format),geq=\(planes)", "-frames:v", "3"] + tags
        + ["-c:v", "ffv1", "-y", path])
    return path
  }

  private static func hashes(_ path: String) throws -> [Substring] {
    let text = String(decoding: try Tool.ffmpeg.run(["-i", path, "-map", "v", "-f", "framemd5", "-"]), as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
  }

  private static func tags(_ transfer: String, _ primaries: String, _ matrix: String, _ range: String = "tv")
    -> [String]
  {
    ["-color_primaries", primaries, "-color_trc", transfer, "-colorspace", matrix, "-color_range", range]
  }

  private func request(_ input: String, _ scratch: Scratch, _ kind: OutputKind) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: scratch.path("out.mkv"))
    (request.coding.encoder, request.mapping.chosenKind, request.overwrites) = ("ffv1", kind, true)
    return request
  }

  private static let pq = tags("smpte2084", "bt2020", "bt2020nc")
  private static let cases: [(String, [String], OutputKind)] = [
    ("yuv420p10le", pq + ["-chroma_sample_location", "left"], .hdr10),
    ("yuv420p10le", pq + ["-chroma_sample_location", "topleft"], .hdr10), ("yuv422p10le", pq, .hdr10),
    ("yuv444p12le", pq, .hdr10), ("gbrp12le", tags("smpte2084", "bt2020", "rgb", "pc"), .hdr10),
    ("yuv420p10le", tags("smpte2084", "bt2020", "bt2020nc", "pc"), .hdr10), ("gray10le", pq, .hdr10),
    ("yuv420p10le", tags("smpte2084", "bt2020", "ictcp"), .hdr10),
    ("yuv420p10le", tags("arib-std-b67", "bt2020", "bt2020nc"), .hlg),
    ("yuv420p", tags("arib-std-b67", "bt2020", "bt2020nc"), .hlg),
    ("yuv420p", tags("bt709", "bt709", "bt709"), .sdr), ("yuv422p10le", tags("bt709", "bt709", "bt709"), .sdr),
    ("yuv444p", tags("smpte170m", "bt709", "smpte170m", "pc"), .sdr),
  ]

  @Test(arguments: cases.indices) func everyCodeArrives(_ index: Int) throws {
    let scratch = try Scratch()
    let (format, tags, kind) = Self.cases[index]
    let input = try Self.noise(scratch, format, tags)
    let plan = try Session().plan(request(input, scratch, kind))
    #expect(
      plan.codeValues == "unchanged" && plan.lines.contains { $0.hasSuffix("unchanged") && $0.contains("code values") })
    try Session().run(plan)
    let (hashes, arrived) = (try Self.hashes(input), try Self.hashes(scratch.path("out.mkv")))
    #expect(hashes.count == 3 && hashes == arrived)
    func stated(_ path: String) throws -> [String?] {
      let video = try #require(Probe(path, ["-show_streams"]).streams?.first)
      return [video.pix_fmt, video.color_space, video.color_transfer, video.color_range]
    }
    #expect(try stated(input) == stated(scratch.path("out.mkv")))
  }

  /// The report counts what differs, and finds what does.
  @Test func reportsCount() throws {
    let scratch = try Scratch()
    var request = request(try Self.noise(scratch, "yuv420p10le", Self.pq, size: "640x360"), scratch, .hdr10)
    request.report = scratch.path("report.json")
    func codes() throws -> [String: Any]? {
      try Session().run(request)
      let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path("report.json")))
      return (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["code_values"] as? [String: Any]
    }
    let unchanged = try codes()
    #expect(unchanged?["samples"] as? Int == 3 * 640 * 360 * 3 / 2 && unchanged?["changed"] as? Int == 0)
    request.filters = ["scopes=show=waveform:place=over"]
    let drawn = try codes()
    #expect(drawn?["planned"] as? String == "unchanged but for scopes")
    #expect((1..<3 * 640 * 360).contains(drawn?["changed"] as? Int ?? 0))
    request.filters = []
    request.mapping.peak = 500
    #expect(try codes() == nil)
  }

  /// What makes new samples is in the plan.
  @Test func changesAreNamed() throws {
    let scratch = try Scratch()
    let input = try Self.noise(scratch, "yuv422p10le", Self.pq, size: "64x48")
    func words(_ change: (inout TranscodeRequest) -> Void) throws -> String? {
      var request = request(input, scratch, .hdr10)
      change(&request)
      return try Session().plan(request).codeValues
    }
    #expect(
      try words { $0.coding.layout = PixelLayout(.ycbcr420, bitDepth: 12) }
        == "changed: chroma is resampled: 4:2:2 to 4:2:0, 10 bits become 12")
    #expect(try words { $0.coding.encoder = "libsvtav1" } == "changed: chroma is resampled: 4:2:2 to 4:2:0")
    try expectNote("input-layout-kept", "yuv422p10le is kept", "pixelFormat yuv420p10le makes") { session in
      var request = request(input, scratch, .hdr10)
      request.coding.encoder = "libx265"
      return try session.plan(request)
    }
    #expect(
      try words { $0.geometry.scale = PictureScaling(width: .samples(32), height: .ratio(multiple: 2)) }
        == "changed: the picture is scaled")
    #expect(try words { $0.geometry.crop = .centered(Size(width: 32, height: 32)) } == "unchanged")
    #expect(try words { $0.mapping.exposure = 1 } == nil && words { $0.mapping.chosenKind = .hlg } == nil)
    #expect(try words { $0.filters = ["highlight"] } == nil)
  }
}
