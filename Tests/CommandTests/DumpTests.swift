import FFmpegIO
import Foundation
import Frames
import Rendering
import TestSupport
import Testing
import ToneMapping

/// The verb `dump`: which frames, as what, under which names.
@Suite struct DumpTests {
  static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("media/hdr10-sample.mp4").path

  private func dump(_ arguments: [String], _ scratch: Scratch) throws -> Command.Result {
    try Command.run(["dump", Self.sample, "-q"] + arguments)
  }

  private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

  /// R, G and B as 16-bit words, decoded by ffmpeg.
  private func words(_ path: String) throws -> [UInt16] {
    let data = try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"])
    return stride(from: 0, to: data.count, by: 2).map { UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8 }
  }

  /// The raw file holds the half floats of the pipeline bit for bit.
  @Test func rawIsThePipelinesLight() throws {
    let scratch = try Scratch()
    #expect(try dump(["-o", scratch.path("a.raw"), "--frames", "3"], scratch).status == 0)
    let raw = try bytes(scratch.path("a.raw"))
    let reader = try MediaReader(url: Self.sample)
    var frame = try #require(try reader.readFrame())
    for _ in 0..<3 { frame = try #require(try reader.readFrame()) }
    let content = try ContentInterpretation(color: frame.color, metadata: frame.metadata)
    let linearizer = try FrameRenderer(
      source: FrameRenderer.Endpoint(format: frame.format, transfer: content.transfer), outputs: [.init(end: .linear)],
      pool: WorkerPool(count: 1))
    let light = try linearizer.linearFrame(frame)
    #expect(raw.count == frame.size.width * frame.size.height * 8)
    var differences = 0
    for y in 0..<frame.size.height {
      for (place, component) in [LinearFrame.Component.red, .green, .blue].enumerated() {
        let row = light.row(y, component)
        for x in 0..<frame.size.width {
          let offset = (y * frame.size.width + x) * 8 + 2 * place
          let bits = UInt16(raw[offset]) | UInt16(raw[offset + 1]) << 8
          if bits != row[x].bitPattern { differences += 1 }
        }
      }
    }
    #expect(differences == 0)
  }

  /// A frame after coding is what transcode writes.
  @Test func theOutputStageIsTranscodes() throws {
    let scratch = try Scratch()
    let coded = scratch.path("coded.mkv")
    let encoder = ["-c:v", "ffv1", "--pixel-format", "yuv420p", "--frames", "0-1", "-q"]
    #expect(try Command.run(["transcode", Self.sample, "-o", coded] + encoder).status == 0)
    #expect(
      try dump(["-o", scratch.path("o%d.png"), "--frames", "0-1", "--stage", "output", "--space", "srgb"], scratch)
        .status == 0)
    let decoded = try Command.run([
      "dump", coded, "-q", "-o", scratch.path("d%d.png"), "--stage", "decoded", "--space", "srgb",
    ])
    #expect(decoded.status == 0, "\(decoded.messages)")
    for number in 0...1 {
      #expect(try bytes(scratch.path("o\(number).png")) == bytes(scratch.path("d\(number).png")))
    }
  }

  /// PQ out of a picture is the PQ that went into it: to the code in ten bits.
  @Test(arguments: ["png", "tiff"])
  func codesSurvive(_ suffix: String) throws {
    let scratch = try Scratch()
    let first = scratch.path("a.\(suffix)")
    #expect(try dump(["-o", first, "--at", "0"], scratch).status == 0)
    let again = scratch.path("b.png")
    let result = try Command.run(["dump", first, "-q", "-o", again])
    #expect(result.status == 0, "\(result.messages)")
    let (before, after) = (try words(first), try words(again))
    let largest = zip(before, after).map { abs(Int($0) - Int($1)) }.max() ?? .max
    #expect(before.count == after.count && largest < 64, "\(largest)")
  }

  /// Light above white and negative components pass from OpenEXR to OpenEXR unchanged.
  @Test func lightSurvives() throws {
    let scratch = try Scratch()
    let options = ["--at", "0", "--space", "linear-srgb"]
    #expect(try dump(["-o", scratch.path("a.exr")] + options, scratch).status == 0)
    #expect(try dump(["-o", scratch.path("a.raw")] + options, scratch).status == 0)
    let again = try Command.run([
      "dump", scratch.path("a.exr"), "-q", "-o", scratch.path("b.raw"), "--space", "linear-srgb",
    ])
    #expect(again.status == 0, "\(again.messages)")
    let (before, after) = (try bytes(scratch.path("a.raw")), try bytes(scratch.path("b.raw")))
    #expect(before == after)
    let halves = stride(from: 0, to: before.count, by: 2).map {
      Float16(bitPattern: UInt16(before[$0]) | UInt16(before[$0 + 1]) << 8)
    }
    #expect(halves.contains { $0 < -0.001 } && halves.contains { $0 > 2 })
  }

  private struct Sidecar: Decodable {
    let width: Int
    let color_space: String
    let white: Double?
    let times: [Double]
  }

  private func sidecar(_ path: String) throws -> Sidecar {
    try JSONDecoder().decode(Sidecar.self, from: try Data(contentsOf: URL(fileURLWithPath: path + ".json")))
  }

  @Test func selections() throws {
    let scratch = try Scratch()
    #expect(try dump(["-o", scratch.path("all.raw")], scratch).status == 0)
    let all = try sidecar(scratch.path("all.raw"))
    #expect(all.times.count > 10 && all.white == 100 && all.color_space == "extendedLinearITUR_2020")
    #expect(try dump(["-o", scratch.path("some.raw"), "--frames", "2-9", "--every", "3"], scratch).status == 0)
    #expect(try sidecar(scratch.path("some.raw")).times == [all.times[2], all.times[5], all.times[8]])
    #expect(try dump(["-o", scratch.path("at.raw"), "--at", "\(all.times[4])"], scratch).status == 0)
    #expect(try sidecar(scratch.path("at.raw")).times == [all.times[4]])
    #expect(try dump(["-o", scratch.path("n%02d.raw"), "--frames", "2-3"], scratch).status == 0)
    #expect(try sidecar(scratch.path("n03.raw")).times == [all.times[3]])
    let mapped = ["-o", scratch.path("m.bgr10a2"), "--frames", "0", "--space", "p3-pq", "--peak", "600"]
    #expect(try dump(mapped, scratch).status == 0)
    #expect(try sidecar(scratch.path("m.bgr10a2")).white == 10_000)
    #expect(
      try bytes(scratch.path("m.bgr10a2")).count == all.width * bytes(scratch.path("all.raw")).count / all.width
        / all.times.count / 2)
  }

  /// Standard output takes the bytes of a file, and nothing is left beside it.
  @Test func standardOutput() throws {
    let scratch = try Scratch()
    for (format, name) in [("rgba16Float", "a.raw"), ("y4m", "a.y4m"), ("png", "a.png")] {
      let (options, path) = (["--frames", "1"], scratch.path(name))
      #expect(try dump(["-o", path] + options, scratch).status == 0)
      let line =
        "cd '\(scratch.folder.path)' && '\(Command.url.path)' dump '\(Self.sample)' -q -o - -f \(format) "
        + "\(options.joined(separator: " ")) > piped"
      #expect(try Command.shell(line) == 0)
      #expect(try bytes(scratch.path("piped")) == bytes(path))
    }
    #expect(!scratch.contents.contains("-.json"))
  }

  /// Refused before the first frame, with what would work.
  @Test(arguments: [
    (["-o", "x.foo"], 2, "no format '.foo'"), (["-o", "x"], 2, "no suffix"), (["-o", "-"], 2, "-f"),
    (["-o", "x.exr"], 2, "frame-%06d.exr"), (["-o", "%d%d.exr"], 2, "two places"),
    (["-o", "%d.exr", "--space", "pq"], 2, "extendedLinearSRGB"), (["-o", "%d.png", "--space", "linear-p3"], 2, "exr"),
    (["-o", "x.y4m", "--space", "srgb"], 2, "--space"), (["-o", "%d.png", "--bit-depth", "12"], 2, "16, 8"),
    (["-o", "%d.exr", "--bit-depth", "16"], 2, "--bit-depth"), (["-o", "no-such-folder/%d.exr"], 1, "create it"),
    (["-o", "x.png", "--at", "1", "--frames", "3"], 2, "--at"),
    (["-o", "x.exr", "--contact", "2x2"], 2, "contact sheet"),
    (["-o", "%d.png", "--frames", "999999"], 1, "--frames"), (["-o", "%d.png", "--at", "99"], 1, "--at"),
    (["-o", "%d.png", "--start-number", "9223372036854775807"], 2, "--start-number"),
    (["-o", "%d/x.png"], 2, "folder"), (["-o", "%d.png", "--compression", "piz"], 2, "--compression"),
    (["-o", "%d.png", "--lossless"], 2, "--lossless"),
    (["-o", "%d.exr", "--stage", "decoded", "--peak", "300"], 2, "--peak"),
    (["-o", "%d.tif", "--space", "linear-p3", "--bit-depth", "8"], 2, "--bit-depth"),
    (["-o", "%d.png", "--space", "srgb", "--to", "hdr10"], 2, "sRGB"),
    (["-o", "%d.exr", "--max-cll", "100,50"], 2, "--max-cll"), (["-o", "%d.png", "--space", "cie"], 2, "sRGB"),
  ])
  func refusals(_ arguments: [String], _ status: Int32, _ words: String) throws {
    let scratch = try Scratch()
    let there = arguments.enumerated().map { index, argument in
      index == 1 && argument != "-" ? scratch.path(argument) : argument
    }
    let result = try dump(there, scratch)
    #expect(result.status == status, "\(result.messages)")
    #expect(result.messages.contains(words), "\(result.messages)")
    #expect(scratch.contents.isEmpty)
  }

  @Test func whatIsThereIsKept() throws {
    let scratch = try Scratch()
    let options = ["-o", scratch.path("f%02d.png"), "--frames", "1-2", "--space", "srgb"]
    try Data("mine".utf8).write(to: URL(fileURLWithPath: scratch.path("f02.png")))
    let refused = try dump(options, scratch)
    #expect(refused.status == 1 && refused.messages.contains("f02.png"), "\(refused.messages)")
    #expect(scratch.contents == ["f02.png"])
    #expect(try dump(options + ["--overwrite"], scratch).status == 0)
    #expect(Set(scratch.contents) == ["f01.png", "f02.png"])
  }

  /// Neither the input, nor a sidecar file, nor a file under another spelling of the name is replaced unasked.
  @Test func nothingElseIsReplaced() throws {
    let scratch = try Scratch()
    #expect(try dump(["-o", scratch.path("f0.png"), "--at", "0"], scratch).status == 0)
    let before = try bytes(scratch.path("f0.png"))
    let own = try Command.run(["dump", scratch.path("f0.png"), "-o", scratch.path("f%d.png"), "--overwrite", "-q"])
    #expect(own.status == 2 && own.messages.contains("input"), "\(own.messages)")
    #expect(try bytes(scratch.path("f0.png")) == before)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: scratch.path("4.raw.json")))
    #expect(try dump(["-o", scratch.path("%d.raw"), "--frames", "4"], scratch).status == 1)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: scratch.path("a.raw.json")))
    #expect(try dump(["-o", scratch.path("a.raw"), "--frames", "4"], scratch).status == 1)
    #expect(
      try dump(["-o", "file:" + scratch.path("f%d.png"), "--frames", "0", "--space", "srgb"], scratch).status == 1)
    // A file behind those that are written is no hindrance.
    #expect(try dump(["-o", scratch.path("%d.raw"), "--frames", "2-3"], scratch).status == 0)
  }

  /// Names that leave no room for the temporary suffix stay distinct.
  @Test func longNames() throws {
    let scratch = try Scratch()
    let name = String(repeating: "a", count: 240)
    #expect(try dump(["-o", scratch.path(name + "%06d.exr"), "--frames", "0-9"], scratch).status == 0)
    #expect(Set(scratch.contents) == Set((0..<10).map { name + "00000\($0).exr" }))
  }

  /// The frame that is shown at a time is the last one that has begun by then.
  @Test func theFrameAtATime() throws {
    let scratch = try Scratch()
    #expect(try dump(["-o", scratch.path("all.raw")], scratch).status == 0)
    let times = try sidecar(scratch.path("all.raw")).times
    let length = times[1] - times[0]
    for (time, frame) in [
      (0, 0), (times[3] + 0.9 * length, 3), (times[4], 4), (times[times.count - 1] + 0.5 * length, times.count - 1),
    ] {
      #expect(try dump(["-o", scratch.path("at.raw"), "--at", "\(time)", "--overwrite"], scratch).status == 0)
      #expect(try sidecar(scratch.path("at.raw")).times == [times[frame]], "\(time)")
    }
  }

  /// An interrupted run leaves complete pictures, the first ones.
  @Test func interruptedRunsLeaveWholePictures() throws {
    let scratch = try Scratch()
    let input = try scratch.clip(
      "in.mkv", size: "640x360", frames: 300,
      ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-color_trc", "smpte2084"])
    let folder = scratch.path("out")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let process = try Command.start(
      ["dump", input, "-o", folder + "/%d.png"], output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
    let files = { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
    while !files().contains("3.png"), process.isRunning { Thread.sleep(forTimeInterval: 0.005) }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let count = files().count
    #expect((4..<300).contains(count) && Set(files()) == Set((0..<count).map { "\($0).png" }))
    let sizes = try (0..<count).map { try words(folder + "/\($0).png").count }
    #expect(Set(sizes) == [640 * 360 * 3])
  }

  /// A full file system leaves only complete pictures.
  @Test func aFullFileSystemKeepsWholePictures() throws {
    let scratch = try Scratch()
    let folder = scratch.path("small")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard (try? Command.shell("mount -t tmpfs -o size=2m tmpfs '\(folder)' 2>/dev/null")) == 0 else {
      noteSkip("a full file system, as none can be mounted")
      return
    }
    defer { _ = try? Command.shell("umount '\(folder)' 2>/dev/null") }
    let result = try dump(["-o", folder + "/%d.exr", "--compression", "none"], scratch)
    #expect(result.status == 75 && result.messages.contains("No space left on device"), "\(result.messages)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(files) == Set((0..<files.count).map { "\($0).exr" }))
    let sizes = try files.map { try bytes(folder + "/" + $0).count }
    #expect(Set(sizes).count <= 1)
  }

  @Test func contactSheets() throws {
    let scratch = try Scratch()
    let path = scratch.path("sheet.png")
    #expect(try dump(["-o", path, "--contact", "3x2", "--scale", "64x-2"], scratch).status == 0)
    let words = try words(path)
    #expect(words.count % (224 * 3) == 0)
    // Half of a sheet is pictures, which are not of the ground's one colour.
    #expect(Set(words).count > 1000)
    let still = scratch.path("still.png")
    #expect(try dump(["-o", still, "--at", "0"], scratch).status == 0)
    #expect(try Command.run(["dump", still, "-q", "-o", path, "--contact", "2x1", "--overwrite"]).status == 0)
    #expect(try Command.run(["dump", still, "-q", "-o", path, "--at", "7", "--overwrite"]).status == 0)
    let piped = try Command.program(["dump", "-", "-o", path, "--contact", "3x2", "--input-transfer", "pq"])
    #expect(piped.status != 0)
  }

  /// Transcode makes a picture of a picture, by the name of its output.
  @Test func transcodingPictures() throws {
    let scratch = try Scratch()
    let still = scratch.path("a.exr")
    #expect(try dump(["-o", still, "--at", "0"], scratch).status == 0)
    let picture = scratch.path("b.png")
    let made = try Command.run(["transcode", still, "-o", picture, "-q", "--max-cll", "copy", "--to", "hdr10"])
    #expect(made.status == 2 && made.messages.contains("--max-cll"), "\(made.messages)")
    #expect(try Command.run(["transcode", still, "-o", picture, "-q"]).status == 0)
    #expect(try dump(["-o", scratch.path("c.png"), "--at", "0", "--space", "srgb"], scratch).status == 0)
    let (one, other) = (try words(picture), try words(scratch.path("c.png")))
    #expect(one.count == other.count)
    let refused = try Command.run(["transcode", still, "-o", scratch.path("d.png"), "--crf", "9"])
    #expect(refused.status == 2 && refused.messages.contains("--crf"))
  }
}
