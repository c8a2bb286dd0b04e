import Foundation
import TestSupport
import Testing

/// `--report`, and transcodes with measured light.
@Suite struct ReportTests {
  private func json(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Ten-bit 4:4:4 greys: a number of pixels of each PQ code, of 64 by 64.
  private func greys(_ scratch: Scratch, _ codes: [(code: UInt16, count: Int)], frames: Int = 3) throws -> String {
    let luma = codes.flatMap { [UInt16](repeating: $0.code, count: $0.count) }
    let frame = luma + [UInt16](repeating: 512, count: 2 * luma.count)
    let raw = scratch.path("raw")
    try Data(words: [[UInt16]](repeating: frame, count: frames).flatMap(\.self)).write(to: URL(fileURLWithPath: raw))
    try Tool.ffmpeg.run([
      "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", "64x64", "-r", "25", "-i", raw, "-c:v", "ffv1", "-color_trc",
      "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc", "-color_range", "tv", "-y",
      scratch.path("in.mkv"),
    ])
    return scratch.path("in.mkv")
  }

  // PQ of ten bit: 573 is 203.7 cd/m², 844 is 3573.5 cd/m² (SMPTE ST 2084, by numpy).
  @Test func reportTellsWhatWasDone() throws {
    let scratch = try Scratch()
    let input = try greys(scratch, [(573, 4000), (844, 96)])
    let (output, report) = (scratch.path("out.mp4"), scratch.path("report.json"))
    let result = try Command.run(["transcode", input, "-o", output, "--report", report, "-q"])
    #expect(result.status == 0, "\(result.messages)")
    let object = try json(report)
    #expect(object["status"] as? String == "finished")
    #expect(object["frames"] as? Int == 3)
    let light = try #require(object["light"] as? [String: Any])
    #expect(light["pixels"] as? Int == 3 * 4096)
    // Without metadata the curve is made for 1000 cd/m².
    #expect(light["clipped_by_tone"] as? Int == 3 * 96)
    #expect(light["clipped_by_gamut"] as? Int == 0)
    #expect(abs(try #require(light["max_cll"] as? Double) / 3573.5 - 1) < 0.002)
    let made = try #require(object["output"] as? [String: Any])
    #expect(made["encoder"] as? String == "libx264")
    #expect(made["size"] as? Int == (try Data(contentsOf: URL(fileURLWithPath: output)).count))
  }

  @Test func aFailureIsReported() throws {
    let scratch = try Scratch()
    let input = try greys(scratch, [(573, 4096)])
    let report = scratch.path("report.json")
    let result = try Command.run(["transcode", input, "-o", "/dev/full", "-f", "matroska", "--report", report])
    #expect(result.status == 75)
    let object = try json(report)
    #expect(object["status"] as? String == "failed")
    #expect((object["error"] as? String)?.contains("No space left") == true)
  }

  /// A run that is refused does not leave the report of the one before.
  @Test func aRefusalIsReported() throws {
    let scratch = try Scratch()
    let input = try greys(scratch, [(573, 4096)])
    let (output, report) = (scratch.path("out.mkv"), scratch.path("report.json"))
    #expect(try Command.run(["transcode", input, "-o", output, "--report", report]).status == 0)
    try Data("no film".utf8).write(to: URL(fileURLWithPath: input))
    let result = try Command.run(["transcode", input, "-o", output, "--report", report, "--overwrite"])
    #expect(result.status == 1)
    #expect(try json(report)["status"] as? String == "failed")
  }

  /// A measurement takes precedence over the assumed 1000 cd/m²: the brightest grey becomes white, and no other.
  @Test(arguments: [true, false])
  func measuredPeakIsMapped(_ detects: Bool) throws {
    let scratch = try Scratch()
    let input = try greys(scratch, [(573, 4000), (844, 96)])
    let (output, light) = (scratch.path("out.mp4"), scratch.path("light.json"))
    var arguments = ["transcode", input, "-o", output, "--to", "hdr10", "-q", "-c:v", "libx265"]
    if detects {
      arguments += ["--peak-detect"]
    } else {
      #expect(try Command.run(["measure", input, "-o", light, "-q"]).status == 0)
      arguments += ["--measured", light]
    }
    #expect(try Command.run(arguments).status == 0)
    let list = try Probe(output, ["-show_streams"]).streams?.first?.side_data_list
    let content = try #require(list?.first("Content light level metadata"))
    #expect(abs(try #require(content.max_content) - 3574) <= 4)
    // The source was measured, not what is coded.
    #expect(content.max_average == 0)
  }

  @Test func aFileThatIsNoMeasurementIsRefused() throws {
    let scratch = try Scratch()
    let input = try greys(scratch, [(573, 4096)])
    let wrong = scratch.path("wrong.json")
    try Data("{}".utf8).write(to: URL(fileURLWithPath: wrong))
    for path in [wrong, scratch.path("none.json")] {
      let result = try Command.run(["transcode", input, "-o", scratch.path("out.mkv"), "--measured", path])
      #expect(result.status == 1)
      #expect(result.messages.contains(path))
    }
    #expect(!scratch.contents.contains("out.mkv"))
  }
}
