import Foundation
import TestSupport
import Testing

/// HDR10 at the same peak keeps the mastering display and the content light of its source, in the container and in the
/// bitstream.
@Suite struct StaticMetadataTests {
  struct Format: Sendable, CustomStringConvertible {
    let encoder: String
    let preset: String
    let container: String
    var description: String { "\(encoder).\(container)" }
  }

  static let formats = [("libx265", "ultrafast"), ("libsvtav1", "12"), ("libaom-av1", "8")].flatMap { encoder, preset in
    ["mp4", "mkv"].map { Format(encoder: encoder, preset: preset, container: $0) }
  }

  /// A mastering display of 80 to 10000 cd/m² whose black is below its peak.
  static let clips = Clip.decodable.filter { clip in
    guard let display = clip.first("Mastering display metadata"), clip.stream?["color_transfer"] == .text("smpte2084"),
      !clip.file.hasPrefix("dv5_"), let max = display["max_luminance"]?.units(10_000),
      let min = display["min_luminance"]?.units(10_000)
    else { return false }
    return (800_000...100_000_000).contains(max) && min < max
  }

  /// The values in SEI units, that those of AV1 are rounded to.
  private func values(_ list: [Probe.SideData]?) throws -> [Int]? {
    guard let display = list?.first("Mastering display metadata") else { return nil }
    func units(_ text: String?, _ scale: Double) throws -> Int {
      let parts = try #require(text).split(separator: "/").compactMap { Double($0) }
      return Int((parts[0] / parts[1] * scale).rounded())
    }
    let points = [
      display.red_x, display.red_y, display.green_x, display.green_y, display.blue_x, display.blue_y,
      display.white_point_x, display.white_point_y,
    ]
    return try points.map { try units($0, 50_000) }
      + [units(display.max_luminance, 10_000), units(display.min_luminance, 10_000)]
  }

  private func light(_ list: [Probe.SideData]?) -> [Int?]? {
    list?.first("Content light level metadata").map { [$0.max_content, $0.max_average] }
  }

  private func probe(_ path: String) throws -> (stream: [Probe.SideData]?, frame: [Probe.SideData]?) {
    let result = try Probe(path, ["-show_streams", "-show_frames", "-select_streams", "v", "-read_intervals", "%+#1"])
    return (result.streams?.first?.side_data_list, result.frames?.first?.side_data_list)
  }

  /// The short run has each clip in one of the formats.
  static let cases = clips.enumerated().flatMap { index, clip in
    LongTests.share(of: formats, turn: index + index / formats.count).map { (clip, $0) }
  }

  @Test(arguments: cases)
  func isKept(_ clip: Clip, _ format: Format) throws {
    let scratch = try Scratch()
    let output = scratch.path("out.\(format.container)")
    let result = try Command.run([
      "transcode", clip.path, "-o", output, "--to", "hdr10", "--frames", "0-1", "-q", "-c:v", format.encoder,
      "--preset",
      format.preset, "--scale", "-2x240",
    ])
    #expect(result.status == 0, "\(result.messages)")
    guard result.status == 0 else { return }
    let (source, made) = (try probe(clip.path), try probe(output))
    let wanted = try #require(try values(source.frame) ?? values(source.stream))
    #expect(try values(made.stream) == wanted)
    #expect(try values(made.frame) == wanted)
    var wantedLight = light(source.frame) ?? light(source.stream)
    // 0 is "unknown": nothing to keep.
    if wantedLight?.first == 0 { wantedLight = nil }
    #expect(light(made.stream) == wantedLight)
    // x265 3.5 writes a message of zeros, which says as much as none, where there is a mastering display alone.
    #expect(light(made.frame) == wantedLight || wantedLight == nil && light(made.frame) == [0, 0])
  }

  static let other = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(40000000,50)"

  @Test(arguments: [
    (["--master-display", other, "--max-cll", "3999,321"], 4000, 3999),
    (["--master-display", "G(0.17,0.797)B(0.131,0.046)R(0.708,0.292)WP(0.3127,0.329)L(4000,0.005)"], 4000, 1000),
    (["--peak", "600", "--master-display", "copy", "--max-cll", "copy"], 1000, 1000),
    (["--peak", "600"], 600, 600),
  ])
  func asked(_ options: [String], _ peak: Int, _ maxCLL: Int) throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10_cup") }) else { return }
    let scratch = try Scratch()
    let output = scratch.path("out.mp4")
    let result = try Command.run(
      [
        "transcode", clip.path, "-o", output, "--to", "hdr10", "--frames", "0-1", "-c:v", "libx265", "--preset",
        "ultrafast",
      ]
        + options)
    #expect(result.status == 0, "\(result.messages)")
    let made = try probe(output)
    for list in [made.stream, made.frame] {
      #expect(try values(list)?[8] == peak * 10_000)
      #expect(light(list)?.first == maxCLL)
    }
    #expect(result.messages.contains("no longer that bright") == (options.contains("copy")))
  }

  /// Requested metadata that is missing in the finished file is an error, and there is no file.
  @Test func whatIsLostIsAnError() throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10_cup") }) else { return }
    let scratch = try Scratch()
    let arguments = [
      "transcode", clip.path, "--to", "hdr10", "--frames", "0-1", "-c:v", "ffv1", "-o", scratch.path("out.nut"),
    ]
    let asked = try Command.run(arguments + ["--master-display", "copy"])
    #expect(asked.status == 1)
    #expect(asked.messages.contains("does not hold the mastering display"))
    #expect(scratch.contents.isEmpty)
    let unasked = try Command.run(arguments)
    #expect(unasked.status == 0)
    #expect(unasked.messages.contains("does not hold the mastering display"))
  }

  @Test(arguments: [
    ["--master-display", "G(1,2)"], ["--max-cll", "100,200"], ["--max-cll", "x"],
    ["--to", "sdr", "--master-display", "copy"], ["--measured", "a.json", "--peak-detect"],
  ])
  func refused(_ options: [String]) throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-color_trc", "smpte2084"])
    let result = try Command.run(["transcode", input, "-o", scratch.path("out.mkv"), "--to", "hdr10"] + options)
    #expect(result.status == 2, "\(result.messages)")
    #expect(scratch.contents == ["in.mkv"])
  }
}
