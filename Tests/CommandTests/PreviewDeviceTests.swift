import Foundation
import TestSupport
import Testing

/// Capture devices on the command line: what a scripted one sends, says and suffers.
@Suite struct PreviewDeviceTests {
  private struct Report: Decodable {
    let frames: Int
    let dropped: Int
    let lost: Int
    let recorded: Int
    let recording_dropped: Int
    let latency_ms: [String: Double]?
    /// What arrived: a busy machine shows, and records, less of it.
    var arrived: Int { frames + dropped }
    var offered: Int { recorded + recording_dropped }
  }

  private static func report(_ result: Command.Result) throws -> Report {
    #expect(result.status == 0, "\(result.messages)")
    return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
  }

  private static let hdr10 = [
    "LIGHT": "900:300", "MASTERING": "13250:34500:7500:3000:34000:16000:15635:16450:10000000:50",
  ]

  @Test func devicesAreListed() throws {
    let device = try PreloadDevice("P010:320x180@50,NV12:640x360@60,MJPG:1920x1080@30", Self.hdr10)
    let result = try device.run(["preview", "--list-devices"])
    #expect(result.status == 0)
    for words in ["/dev/video70", "Preload source", "P010", "320x180", "50 fps", "MJPG", "input 0", "HDR10 Mastering"] {
      #expect(result.output.contains(words), "\(words)")
    }
    let json = try device.run(["preview", "--list-devices", "--json"]).output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let devices = try #require(object?["devices"] as? [[String: Any]])
    #expect(devices.count == 1 && devices[0]["path"] as? String == "/dev/video70")
  }

  /// The widest that keeps the rate, and why.
  @Test func theModeIsChosenAndNamed() throws {
    let modes = "MJPG:320x180@50,NV12:320x180@50,P010:320x180@50,Y210:320x180@25"
    let device = try PreloadDevice(modes)
    let messages = try device.preview(["--frames", "0-2"]).messages
    #expect(messages.contains("is P010 320x180 at 50"))
    #expect(messages.contains("NV12, MJPG would be as fast"), "\(messages)")
    #expect(messages.contains("Y210 would be wider and slower"), "\(messages)")
    let asked = try device.preview(["--frames", "0-2", "--format", "NV12"]).messages
    #expect(asked.contains("NV12 320x180 at 50") && asked.contains("as asked"), "\(asked)")
    let missing = try device.preview(["--size", "640x480"])
    #expect(missing.status == 2 && missing.messages.contains("has no mode 640x480"), "\(missing.messages)")
  }

  /// Codes as they were served; metadata of the controls; light as from a file of the same codes.
  @Test func codesLightAndMetadataArrive() throws {
    let scratch = try Scratch()
    let raw = scratch.path("frames.p010")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=50", "-frames:v", "40", "-pix_fmt", "p010le", "-f", "rawvideo",
      raw,
    ])
    try Tool.ffmpeg.run(
      ["-f", "rawvideo", "-pix_fmt", "p010le", "-s", "320x180", "-r", "50", "-i", raw, "-pix_fmt", "yuv420p10le"]
        + [
          "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv",
          "-c:v", "ffv1", scratch.path("file.mkv"),
        ])
    let device = try PreloadDevice("P010:320x180@50", Self.hdr10.merging(["FILE": raw]) { $1 })
    let (codes, light) = (6 + 320 * 180 * 3, 320 * 180 * 8)
    for (format, bytes) in [("y4m", codes), ("rgba16f", light)] {
      func frames(of input: String, _ range: String) throws -> [Data] {
        let name = "\(input == PreloadDevice.path ? "device" : "file").\(format)"
        let result = try device.run(
          ["dump", input, "--stage", "decoded", "-f", format, "--frames", range, "-o", name], in: scratch.folder)
        #expect(result.status == 0, "\(result.messages)")
        let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
        return stride(from: data.count % bytes, to: data.count, by: bytes).map { data[$0..<$0 + bytes] }
      }
      let all = try frames(of: "file.mkv", "0-39")
      let captured = try frames(of: PreloadDevice.path, "0-3")
      // Which frame is the first depends on when the stream began, and a busy machine may lose some.
      let places = captured.map { all.firstIndex(of: $0) ?? -100 }
      let steps = zip(places.dropFirst(), places).map { ($0 - $1 + 40) % 40 }
      #expect(
        all.count == 40 && places.allSatisfy { $0 >= 0 } && steps.allSatisfy { (1...20).contains($0) }, "\(places)")
    }
    let probe = try device.run(["probe", PreloadDevice.path]).output
    for words in ["MaxCLL 900, MaxFALL 300", "0.005 to 1000", "pq, bt2020, bt2020NCL, limited"] {
      #expect(probe.contains(words), "\(words): \(probe)")
    }
  }

  /// Another program may use it.
  @Test(arguments: ["P010", "MJPG"]) func aDryRunLeavesTheDeviceAsItIs(_ format: String) throws {
    let scratch = try Scratch()
    let sets = ["S_FMT", "S_PARM", "S_INPUT", "S_DV_TIMINGS", "REQBUFS", "STREAMON"].map { "\($0)@1x0=16" }
    let device = try PreloadDevice(
      "\(format):320x180@50", script: sets.joined(separator: ","), ["TIMINGS": "1"])
    for arguments in [
      ["preview", PreloadDevice.path, "--channel", "0", "-o", "take.mkv"],
      ["transcode", PreloadDevice.path, "-o", "out.mkv"],
      ["dump", PreloadDevice.path, "-o", "out.exr", "--frames", "0"],
    ] {
      let result = try device.run(arguments + ["--dry-run"], in: scratch.folder)
      #expect(result.status == 0 && result.output.contains("320x180"), "\(arguments): \(result.messages)")
      #expect(result.messages.contains("is left as it is") == (format == "MJPG"), "\(result.messages)")
    }
    #expect(scratch.contents.isEmpty)
  }

  @Test func overridesAreBelieved() throws {
    // sRGB in full range, says the driver.
    let device = try PreloadDevice("P010:320x180@50", ["COLOR": "8:2:1:1"])
    let plain = try device.preview(["--dry-run"]).output
    #expect(plain.contains("SDR"), "\(plain)")
    let arguments = [
      "--dry-run", "--input-transfer", "hlg", "--input-primaries", "bt2020", "--input-matrix", "bt2020nc",
      "--input-range",
      "limited",
    ]
    let overridden = try device.preview(arguments).output
    #expect(overridden.contains("hlg, bt2020, bt2020NCL, limited"), "\(overridden)")
    #expect(overridden.contains("HLG bt2020"), "\(overridden)")
  }

  /// Frames that never came are counted; a damaged one and an error of the bus are survived, and the recording is whole.
  @Test func lossesAndErrorsAreSurvived() throws {
    let scratch = try Scratch()
    let device = try PreloadDevice("P010:320x180@100", script: "lost@20x3,damaged@40,short@50=1000,DQBUF@60=5")
    let result = try device.preview(
      ["--frames", "0-99", "-o", scratch.path("take.mkv"), "-c:v", "ffv1", "--report", "-"])
    let report = try Self.report(result)
    #expect(report.arrived == 100 && report.offered == 100)
    #expect(report.lost >= 4)
    #expect(result.messages.contains("errno 5") && result.messages.contains("started again"), "\(result.messages)")
    let packets = try Probe(scratch.path("take.mkv"), ["-count_packets", "-show_packets"]).packets
    #expect(packets?.count == report.recorded)
  }

  @Test func unpluggedIsTheEndWithAFinishedRecording() throws {
    let scratch = try Scratch()
    let device = try PreloadDevice("P010:320x180@100", script: "unplug@50")
    let result = try device.preview(["-o", scratch.path("take.mkv"), "-c:v", "ffv1"])
    #expect(result.status == 1 && result.messages.contains("was unplugged"), "\(result.messages)")
    #expect(scratch.contents == ["take.mkv"])
    let packets = try #require(Probe(scratch.path("take.mkv"), ["-show_packets"]).packets)
    #expect((30...50).contains(packets.count))
  }

  /// A take is there, and can be watched, although its program was killed.
  @Test func whatWasRecordedSurvivesItsProgram() throws {
    let scratch = try Scratch()
    let device = try PreloadDevice("NV12:320x180@50")
    let process = try Command.start(
      ["preview", PreloadDevice.path, "--screen", "null", "-o", "take.mp4", "-q"], in: scratch.folder,
      environment: device.environment, output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
    let limit = TimeLimit(process)
    defer { limit.end() }
    func packets() -> Int {
      (try? Probe(scratch.path("take.partial.mp4"), ["-show_packets"]).packets?.count) ?? 0
    }
    #expect(comesTrue(every: 0.2) { packets() > 50 })
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(scratch.contents == ["take.partial.mp4"] && packets() > 50)
  }

  @Test func aDeviceIsWaitedFor() throws {
    let device = try PreloadDevice("P010:320x180@100", script: "unplug@50=700")
    let result = try device.preview(["--wait", "--frames", "0-199", "--report", "-"])
    #expect(try Self.report(result).arrived == 200)
    #expect(result.messages.contains("waiting for it") && result.messages.contains("is back"), "\(result.messages)")
  }

  /// The signal goes, comes back, and has another size: it goes on, and the recording keeps its size. What is not rendered in
  /// time then is not recorded, and is counted.
  @Test func signalsChange() throws {
    let scratch = try Scratch()
    let device = try PreloadDevice(
      "P010:320x180@100", script: "nosignal@50=1500,size@100=2560x1440", ["TIMINGS": "1"])
    let result = try device.preview(
      ["--frames", "0-149", "-o", scratch.path("take.mkv"), "-c:v", "ffv1", "--report", "-"])
    let report = try Self.report(result)
    #expect(report.arrived == 150 && report.offered == 150)
    #expect(result.messages.contains("no signal") && result.messages.contains("2560x1440"), "\(result.messages)")
    let frames = try #require(Probe(scratch.path("take.mkv"), ["-show_streams", "-show_frames"]).frames)
    #expect(frames.count == report.recorded)
  }

  /// A reader that takes a third of the frames costs the recording, not the memory, and is told.
  @Test func aSlowRecordingDropsAndSaysSo() throws {
    let scratch = try Scratch()
    let device = try PreloadDevice(
      "P010:320x180@200", ["PLAY": "static", "FILE": try Self.frames(scratch, "320x180")])
    let result = try device.run(
      [
        "preview", PreloadDevice.path, "--screen", "null", "--frames", "0-199", "-o", scratch.path("take.mkv"), "-c:v",
        "libx265",
        "--preset", "slower", "--encoder-options", "pools=none:frame-threads=1", "--report",
        scratch.path("report.json"),
      ])
    #expect(result.status == 0, "\(result.messages)")
    let report = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: URL(fileURLWithPath: scratch.path("report.json"))))
    #expect(report.frames + report.dropped + report.lost >= 200)
    #expect(report.recording_dropped > 0 && result.messages.contains("lacks \(report.recording_dropped) frames"))
  }

  private static func frames(_ scratch: Scratch, _ size: String) throws -> String {
    let raw = scratch.path("frames-\(size).p010")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=50", "-frames:v", "8", "-pix_fmt", "p010le", "-f", "rawvideo",
      raw,
    ])
    return raw
  }

  @Test func compressedFormatsAreDecoded() throws {
    let scratch = try Scratch()
    let device = try Self.compressed(scratch, "MJPG", ["-c:v", "mjpeg", "-f", "mjpeg"], frames: 10)
    let dump = try device.run(
      ["dump", PreloadDevice.path, "--frames", "0-4", "-f", "y4m", "-o", scratch.path("out.y4m")])
    #expect(dump.status == 0, "\(dump.messages)")
    let messages = try device.preview(["--frames", "0-9", "--report", "-"])
    #expect(try Self.report(messages).arrived == 10)
  }

  /// A device that sends pictures that ffmpeg has coded, each a buffer.
  private static func compressed(
    _ scratch: Scratch, _ format: String, _ arguments: [String], frames: Int
  ) throws -> PreloadDevice {
    var (stream, lengths) = (Data(), "")
    for index in 0..<frames {
      let path = scratch.path("unit\(index)")
      try Tool.ffmpeg.run(
        ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=50", "-vf", "trim=start_frame=\(index)", "-frames:v", "1"]
          + arguments + ["-y", path])
      let unit = try Data(contentsOf: URL(fileURLWithPath: path))
      stream += unit
      lengths += "\(unit.count)\n"
    }
    try stream.write(to: URL(fileURLWithPath: scratch.path("stream")))
    try Data(lengths.utf8).write(to: URL(fileURLWithPath: scratch.path("units")))
    return try PreloadDevice(
      "\(format):320x180@50", ["FILE": scratch.path("stream"), "UNITS": scratch.path("units"), "COLOR": "3:1:1:1"])
  }

  /// Nothing is half-written, and the message says what to do.
  @Test func whatCannotBeIsRefused() throws {
    let scratch = try Scratch()
    let device = try PreloadDevice("P010:320x180@50")
    let silent = try PreloadDevice("P010:320x180@50", script: "nosignal@1", ["TIMINGS": "1"])
    for (device, arguments, status, words) in [
      (device, ["preview", "/dev/video71"], 1, "Cannot open the device '/dev/video71'"),
      (device, ["preview", PreloadDevice.path, "--screen", "/dev/video71"], 1, "/dev/video71"),
      (device, ["preview", PreloadDevice.path, "--channel", "7"], 2, "input"),
      (device, ["transcode", PreloadDevice.path, "--scale", "160x90", "-f", "null"], 2, "is a device"),
      (device, ["preview", PreloadDevice.path, "--crf", "20"], 2, "add -o FILE"),
      (device, ["preview", PreloadDevice.path, "--format", "TOOLONG"], 2, "TOOLONG"),
      (device, ["preview", PreloadDevice.path, "-o", "take.nothing"], 2, "take.nothing"),
      (silent, ["dump", PreloadDevice.path, "-f", "png", "--frames", "0", "-o", "x.png"], 1, "delivers no frames"),
    ] as [(PreloadDevice, [String], Int32, String)] {
      let result = try device.run(arguments, in: scratch.folder)
      #expect(result.status == status && result.messages.contains(words), "\(arguments): \(result.messages)")
    }
    #expect(scratch.contents.isEmpty)
  }
}

/// What a recording of a device keeps, whatever happens to what is shown.
@Suite struct PreviewRecordingTests {
  /// One thread renders 2160p with scopes too slowly; the recording has every frame that came.
  @Test func slowRenderingCostsTheRecordingNothing() throws {
    let scratch = try Scratch()
    let device = try PreloadDevice("NV12:1920x1080@60")
    let result = try device.preview([
      "--frames", "0-59", "-o", scratch.path("take.nut"), "-f", "nut", "-c:v", "rawvideo", "--threads", "1",
      "--kernels",
      "baseline", "--filter", "scopes=rows=1", "--filter", "highlight", "--adapt", "off", "--report",
      scratch.path("report.json"),
    ])
    #expect(result.status == 0, "\(result.messages)")
    let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path("report.json")))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let numbers = report.compactMapValues { $0 as? Int }
    let packets = try #require(Probe(scratch.path("take.nut"), ["-show_packets"]).packets).count
    #expect(numbers["recorded"] == packets)
    let unrecorded = numbers["recording_dropped"] ?? 0
    #expect(packets + unrecorded == 60, "\(packets) and \(unrecorded), \(numbers)")
    #expect((numbers["frames"] ?? 0) + (numbers["dropped"] ?? 0) == 60)
  }

  /// A disk that is full leaves what fitted, under a name that says so.
  @Test func aFullDiskLeavesWhatFitted() throws {
    let scratch = try Scratch()
    let device = try PreloadDevice("NV12:640x360@60")
    let status = try Command.shell(
      """
      cd '\(scratch.folder.path)'; trap '' XFSZ; ulimit -f 30000
      \(device.assignments) '\(Command.url.path)' preview \(PreloadDevice.path) --screen null -o take.nut -f nut -c:v rawvideo \
      --frames 0-199 2>messages
      """)
    #expect(status != 0)
    let messages = try String(contentsOfFile: scratch.path("messages"), encoding: .utf8)
    #expect(messages.contains("take.partial.nut"), "\(messages)")
    #expect(Set(scratch.contents) == ["messages", "take.partial.nut"])
    let packets = try #require(Probe(scratch.path("take.partial.nut"), ["-show_packets"]).packets)
    #expect(packets.count > 2 && messages.contains("holds the first \(packets.count) frames"), "\(messages)")
  }

  @Test func aReportIsWrittenOfAFailure() throws {
    let scratch = try Scratch()
    let device = try PreloadDevice("NV12:320x180@100", script: "unplug@30")
    let result = try device.preview(["--report", scratch.path("report.json")])
    #expect(result.status == 1 && !result.messages.contains("waiting for it"), "\(result.messages)")
    let text = try String(contentsOfFile: scratch.path("report.json"), encoding: .utf8)
    #expect(text.contains("\"status\" : \"failed\"") && text.contains("was unplugged"))
  }
}
