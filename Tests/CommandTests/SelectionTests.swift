import Foundation
import TestSupport
import Testing

/// Which frames, in what times, for how many threads, and what a signal does.
@Suite struct SelectionTests {
  /// Lines "stream, dts, pts, duration, size, md5" of framemd5.
  private func hashes(_ arguments: [String]) throws -> [[String]] {
    let result = try Command.program(["transcode"] + arguments + ["-f", "framemd5", "-o", "-", "-q"])
    #expect(result.status == 0, "\(result.messages)")
    return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private func clip(_ scratch: Scratch, frames: Int = 20) throws -> String {
    try scratch.clip(
      "in.mkv", size: "320x180", rate: 25, frames: frames,
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
        "-colorspace", "bt2020nc",
      ])
  }

  @Test func framesAndTimes() throws {
    let scratch = try Scratch()
    let input = try clip(scratch)
    let all = try hashes([input])
    #expect(all.count == 20)
    #expect(try hashes([input, "--frames", "5-7"]).map(\.last) == all[5...7].map(\.last))
    #expect(try hashes([input, "--frames", "18-"]).map(\.last) == all[18...].map(\.last))
    #expect(try hashes([input, "--frames", "3"]).map(\.last) == [all[3].last])
    // 0.2 s is frame 5 of 25 a second; 0.12 s are three frames.
    let part = try hashes([input, "--start", "0.2", "--duration", "0.12"])
    #expect(part.map(\.last) == all[5...7].map(\.last))
    #expect(part.first?[2] == "0")
  }

  @Test func sameFramesForAnyNumberOfThreads() throws {
    let scratch = try Scratch()
    let input = try clip(scratch, frames: 4)
    for format in ["yuv420p", "yuv422p10le"] {
      let one = try hashes([input, "--threads", "1", "--pixel-format", format])
      #expect(one.count == 4)
      #expect(try hashes([input, "--threads", "7", "--pixel-format", format]) == one)
    }
  }

  @Test func sameFileForAnyNumberOfThreads() throws {
    let scratch = try Scratch()
    let input = try clip(scratch, frames: 6)
    for (name, arguments) in [("h264.mp4", ["--preset", "ultrafast"]), ("ffv1.mkv", ["-c:v", "ffv1"])] {
      let files = try ["1", "7"].map { threads in
        let output = scratch.path(threads + name)
        let result = try Command.run(["transcode", input, "-o", output, "-q", "--threads", threads] + arguments)
        #expect(result.status == 0, "\(result.messages)")
        // Matroska writes a random identifier; the packets are what counts.
        return try Tool.ffmpeg.run(["-i", output, "-c", "copy", "-f", "md5", "-"])
      }
      #expect(files[0] == files[1])
    }
  }

  @Test func ditherCanBeSwitchedOff() throws {
    let scratch = try Scratch()
    let input = try clip(scratch, frames: 1)
    #expect(try hashes([input]) != hashes([input, "--no-dither"]))
    let deep = ["--pixel-format", "yuv420p10le"]
    #expect(try hashes([input] + deep) == hashes([input, "--no-dither"] + deep))
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func aSignalFinalises(_ number: Int32, _ status: Int32) throws {
    let scratch = try Scratch()
    let input = try clip(scratch, frames: 1500)
    let output = scratch.path("out.mp4")
    let messages = URL(fileURLWithPath: scratch.path("messages"))
    try Data().write(to: messages)
    let process = try Command.start(
      ["transcode", input, "-o", output, "--threads", "1", "--preset", "medium", "--progress", "json"],
      output: FileHandle.nullDevice, messages: try FileHandle(forWritingTo: messages))
    // Until frames have come out, half a minute at most.
    for _ in 0..<600 {
      if try String(contentsOf: messages, encoding: .utf8).range(of: #""frames":[1-9]"#, options: .regularExpression)
        != nil
      {
        break
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(!FileManager.default.fileExists(atPath: output))
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    let text = try String(contentsOf: messages, encoding: .utf8)
    #expect(process.terminationStatus == status, "\(text)")
    #expect(text.contains("\"progress\":\"continue\""))
    let made = try Probe(scratch.path("out.partial.mp4"), ["-show_frames"]).frames?.count ?? 0
    #expect(made > 0 && made < 1500)
    #expect(text.contains("out.partial.mp4"))
    #expect(Set(scratch.contents) == ["in.mkv", "messages", "out.partial.mp4"])
  }
}
