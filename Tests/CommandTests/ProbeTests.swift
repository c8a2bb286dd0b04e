import Foundation
import TestSupport
import Testing

@Suite struct ProbeTests {
  struct Report: Decodable {
    struct Stream: Decodable {
      let codec_name: String
      let width: Int?
      let color_transfer: String?
      let side_data_list: [Probe.SideData]?
    }
    struct Format: Decodable { let format_name: String }
    struct Decision: Decodable {
      let descriptor: String?
      let content_peak_nits: Double?
      let refusal: String?
      let warnings: [String]?
    }
    let streams: [Stream]
    let format: Format
    let headroom: Decision
  }

  private func report(_ clip: Clip) throws -> Report {
    let result = try Command.run(["probe", "--json", clip.path])
    #expect(result.status == 0, "\(result.messages)")
    return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
  }

  /// Neither the name of a file nor what it states commands a terminal, or makes one line two.
  @Test func nothingOfAFileIsObeyed() throws {
    let scratch = try Scratch()
    let words = "e\u{1B}[31m\u{9B}1m\u{202E}\u{7F}"
    let name = "in \(words).mkv"
    _ = try scratch.clip(
      name, frames: 2, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-metadata:s:v", "language=\(words)\nstream #1"])
    let lines = [
      ["probe"], ["probe", "--json"], ["measure"], ["transcode", "-o", "out.mkv", "-c:v", "ffv1", "--dry-run"],
      ["transcode", "-o", "out.mkv", "-c:v", "ffv1", "--dry-run", "--json"],
      ["preview", "--screen", "null", "--dry-run"],
    ]
    for line in lines {
      let result = try Command.program(line + [name], in: scratch.folder)
      #expect(result.status == 0, "\(line): \(result.messages)")
      let obeyed = (result.output + result.messages).unicodeScalars.filter {
        $0.value < 32 && $0 != "\n" || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}"
      }
      #expect(obeyed.isEmpty, "\(line)")
      #expect(!result.output.contains("\nstream #1"), "\(line)")
      if line.contains("--json") {
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let format = object?["format"] as? [String: Any]
        if let format { #expect((format["filename"] as? String)?.hasSuffix(name) == true) }
      }
    }
  }

  /// The JSON says of streams and side data what the clips' index says.
  @Test(arguments: Clip.all)
  func agreesWithTheIndex(_ clip: Clip) throws {
    let report = try report(clip)
    #expect(report.streams.contains { .text($0.codec_name) == clip.stream?["codec_name"] })
    let list = report.streams.flatMap { $0.side_data_list ?? [] }
    if let wanted = clip.first("Content light level metadata"), report.headroom.refusal == nil {
      let found = try #require(list.first("Content light level metadata"))
      #expect(found.max_content == wanted["max_content"]?.number)
      #expect(found.max_average == wanted["max_average"]?.number)
    }
    if let wanted = clip.first("Mastering display metadata"), report.headroom.refusal == nil {
      let found = try #require(list.first("Mastering display metadata"))
      #expect(found.max_luminance.map { Clip.Value.text($0).units(10_000) } == wanted["max_luminance"]?.units(10_000))
      #expect(found.red_x.map { Clip.Value.text($0).units(50_000) } == wanted["red_x"]?.units(50_000))
    }
  }

  @Test(arguments: [
    ("hdr10_cartoon", "hdr10(displayInfo:contentInfo:opticalOutputScale: 100)", 1000.0),
    ("hdr10_bear", "hdr10(minLuminance: 0, maxLuminance: 1000, opticalOutputScale: 100)", 1000),
    ("hdr10_chart_1frame_bt2020", "hdr10(displayInfo:contentInfo:opticalOutputScale: 100)", 2000),
    ("dv8-compat2", "hdr10(displayInfo:contentInfo:opticalOutputScale: 100)", 4000),
    ("hlg10_color-test", "hlg", 1000),
  ])
  func descriptor(_ prefix: String, _ descriptor: String, _ peak: Double) throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix(prefix) }) else { return }
    let decision = try report(clip).headroom
    #expect(decision.descriptor == descriptor)
    #expect(decision.content_peak_nits == peak)
  }

  @Test func textNamesEverything() throws {
    guard let clip = Clip.all.first(where: { $0.file.hasPrefix("hdr10_cup") }) else { return }
    let text = try Command.run(["probe", clip.path]).output
    for part in [
      "hevc (Main 10), 1920x1080", "bt2020 / smpte2084 / bt2020nc", "MaxCLL 1000, MaxFALL 400", "audio aac",
      "descriptor",
    ] {
      #expect(text.contains(part))
    }
  }

  @Test func unreadableFile() throws {
    let result = try Command.run(["probe", "/nowhere/at/all.mp4"])
    #expect(result.status == 1)
    #expect(result.messages.contains("/nowhere/at/all.mp4"))
  }
}
