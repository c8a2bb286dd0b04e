import Foundation
import Frames
import Measurement
import TestSupport
import Testing

/// The verb `measure`: what it writes, where, and what it refuses.
@Suite struct MeasureTests {
  static let pq = [
    "-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace",
    "bt2020nc",
  ]

  private func measurement(_ arguments: [String], _ scratch: Scratch) throws -> ContentMeasurement {
    let path = scratch.path("result.json")
    let result = try Command.run(["measure"] + arguments + ["-o", path, "--overwrite", "-q"])
    #expect(result.status == 0 && result.output.isEmpty && result.messages.isEmpty, "\(result.messages)")
    return try ContentMeasurement(jsonFile: path)
  }

  /// Half of the picture is white of PQ code 573, 203.703 cd/m², by ffmpeg's own source of a colour in ten bits.
  private func halfGray(_ scratch: Scratch, rows: Int = 32) throws -> String {
    let (path, raw) = (scratch.path("grey.mkv"), scratch.path("grey.yuv"))
    let luma = (0..<(64 * 32)).map { UInt16($0 / 64 < rows ? 573 : 64) }
    let frame = luma + [UInt16](repeating: 512, count: 64 * 32 / 2)
    try Data(words: frame + frame).write(to: URL(fileURLWithPath: raw))
    try Tool.ffmpeg.run(
      ["-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "64x32", "-r", "25", "-i", raw] + Self.pq + ["-y", path])
    return path
  }

  @Test func jsonOfKnownLight() throws {
    let scratch = try Scratch()
    let result = try Command.run(["measure", try halfGray(scratch, rows: 16)])
    #expect(result.status == 0, "\(result.messages)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(try #require(json["max_cll"] as? Double).rounded() == 204)
    #expect(((try #require(json["max_fall"] as? Double)) - 203.703 / 2).magnitude < 0.05)
    #expect(json["nb_frames"] as? Int == 2 && json["whole_file"] as? Bool == true)
    let light = try #require(json["content_light"] as? [String: Int])
    #expect(light == ["max_content": 204, "max_average": 102])
    let frames = try #require(json["frames"] as? [[String: Double]])
    #expect(frames.compactMap { $0["time"] } == [0, 0.04])
  }

  @Test func letterbox() throws {
    let scratch = try Scratch()
    let result = try measurement([try halfGray(scratch, rows: 16), "--exclude-letterbox"], scratch)
    #expect(result.activePicture == PictureArea(x: 0, y: 0, width: 64, height: 16))
    #expect((result.maxFALL - 203.703).magnitude < 0.1)
  }

  @Test func csvHasALineForEachFrame() throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", frames: 12, Self.pq)
    let path = scratch.path("frames.csv")
    let result = try Command.run(["measure", input, "--csv", "-o", path, "-q"])
    #expect(result.status == 0, "\(result.messages)")
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: ",").map(String.init)
    }
    #expect(rows.first == ["frame", "time", "peak", "average"])
    #expect(rows.count == 13 && rows.allSatisfy { $0.count == 4 })
    #expect(rows[12][0] == "11" && rows[12][1] == "0.440000")
    let json = try measurement([input], scratch)
    for (row, frame) in zip(rows.dropFirst(), json.frames) {
      #expect(((try #require(Double(row[2]))) - frame.peak).magnitude < 1e-3)
      #expect(((try #require(Double(row[3]))) - frame.average).magnitude < 1e-3)
    }
  }

  @Test func theSameForAnyNumberOfThreadsAndAPartIsNoFile() throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", size: "322x182", frames: 10, Self.pq)
    let whole = try measurement([input, "--threads", "1"], scratch)
    #expect(whole.coversFile && whole.frames.count == 10)
    #expect(try measurement([input, "--threads", "5"], scratch) == whole)
    let part = try measurement([input, "--frames", "3-5"], scratch)
    #expect(!part.coversFile && part.frames.map(\.peak) == whole.frames[3...5].map(\.peak))
    #expect(try measurement([input, "--start", "0.12", "--duration", "0.12"], scratch).frames == part.frames)
    let light = try measurement([input, "--input-transfer", "sdr"], scratch)
    // SDR white is 100 cd/m²; super-white goes up to the end of narrow range, decision 0016.
    #expect(light.maxCLL <= 100 * 1.24 && light.maxCLL < whole.maxCLL)
  }

  @Test func refusals() throws {
    let scratch = try Scratch()
    let input = try scratch.clip("in.mkv", Self.pq)
    try Data("kept".utf8).write(to: URL(fileURLWithPath: scratch.path("kept.json")))
    let before = Set(scratch.contents)
    let cases: [(Int32, String, [String])] = [
      (1, "missing.mkv", [scratch.path("missing.mkv")]), (1, "--overwrite", [input, "-o", scratch.path("kept.json")]),
      (2, "is an input", [input, "-o", input, "--overwrite"]),
      (1, "does not exist", [input, "-o", scratch.path("no/x")]),
      (1, "--start", [input, "--start", "99"]), (1, "selected range", [input, "--frames", "50-60"]),
      (2, "--frames", [input, "--frames", "5-1"]), (2, "--frames", [input, "--frames", "1-2", "--start", "1"]),
      (2, "--threads", [input, "--threads", "0"]), (2, "not a file", [input, "-o", "http://x/y"]),
      (2, "csv", [input, "--csv", "--json"]),
    ]
    for (status, says, arguments) in cases {
      let result = try Command.run(["measure"] + arguments)
      #expect(result.status == status && result.messages.contains(says), "\(arguments): \(result.messages)")
      #expect(result.output.isEmpty && Set(scratch.contents) == before)
    }
    #expect(try String(contentsOfFile: scratch.path("kept.json"), encoding: .utf8) == "kept")
  }

  /// Write errors are reported, and nothing is left behind.
  @Test func fullDevice() throws {
    let scratch = try Scratch()
    let result = try Command.run(["measure", try halfGray(scratch), "-o", "/dev/full", "-q"])
    #expect(result.status == 75 && result.messages.contains("/dev/full"), "\(result.messages)")
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func aSignalWritesNothing(_ number: Int32, _ status: Int32) throws {
    let scratch = try Scratch()
    let input = try scratch.clip(
      "in.mkv", size: "640x360", frames: 1500, Self.pq + ["-c:v", "libx264", "-preset", "ultrafast"])
    let messages = URL(fileURLWithPath: scratch.path("messages"))
    try Data().write(to: messages)
    let process = try Command.start(
      [
        "measure", input, "-o", scratch.path("out.json"), "--threads", "1", "--kernels", "baseline", "--progress",
        "json",
      ],
      output: FileHandle.nullDevice, messages: try FileHandle(forWritingTo: messages))
    for _ in 0..<600 {
      if try String(contentsOf: messages, encoding: .utf8).contains("\"frames\":") { break }
      Thread.sleep(forTimeInterval: 0.05)
    }
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    let text = try String(contentsOf: messages, encoding: .utf8)
    #expect(process.terminationStatus == status, "\(text)")
    #expect(text.contains("incomplete") && !text.contains("\"size\""))
    #expect(Set(scratch.contents) == ["in.mkv", "messages"])
  }

  @Test(arguments: Clip.damaged)
  func damagedClips(_ name: String) throws {
    let result = try Command.run(["measure", Clip.folder.appendingPathComponent(name).path])
    #expect(result.status == 0 || result.status == 1)
    #expect(result.messages.contains("error:") || result.messages.contains("is damaged"), "\(result.messages)")
    #expect(result.output.isEmpty == (result.status == 1))
  }
}
