import Foundation
import TestSupport
import Testing

/// Folders of films: broken ones, interruptions, two processes at once.
@Suite(.serialized) struct LibraryCommandTests {
  private static let encoder = ["-c:v", "libx264", "--preset", "ultrafast", "--suffix", "mkv"]

  private static let films = LongTests.areWanted ? 31 : 9

  /// HDR films, two in SDR, five that are broken, and two that are no films.
  private func library(_ scratch: Scratch, frames: Int = 8) throws -> Int {
    func place(_ name: String) throws -> String {
      let url = URL(fileURLWithPath: scratch.path(name))
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      return url.path
    }
    let hdr = try scratch.clip(
      "hdr.mp4", size: "320x180", frames: frames,
      [
        "-pix_fmt", "yuv420p10le", "-color_trc", "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc",
        "-c:v", "libx264",
      ])
    let sdr = try scratch.clip("sdr.mp4", frames: 4)
    let whole = try Data(contentsOf: URL(fileURLWithPath: hdr))
    for number in 0..<Self.films {
      try whole.write(to: URL(fileURLWithPath: place("in/\(number % 3)/film \(number).mp4")))
    }
    for number in 0..<2 { try FileManager.default.copyItem(atPath: sdr, toPath: place("in/sdr \(number).mp4")) }
    for number in 0..<5 {
      try whole.prefix(number * 97).write(to: URL(fileURLWithPath: place("in/1/broken \(number).mp4")))
    }
    for number in 0..<2 {
      try Data("no film".utf8).write(to: URL(fileURLWithPath: place("in/2/unreadable \(number).mkv")))
    }
    try Data("text".utf8).write(to: URL(fileURLWithPath: place("in/2/notes.txt")))
    return Self.films
  }

  private func convert(_ scratch: Scratch, _ more: [String] = []) -> [String] {
    ["transcode", scratch.path("in"), "-o", scratch.path("out") + "/", "--skip-existing", "--jobs", "2"] + Self.encoder
      + more
  }

  /// Every file of the outputs, and when it was written.
  private func outputs(_ scratch: Scratch) -> [String: Date] {
    let paths = FileManager.default.enumerator(atPath: scratch.path("out"))?.compactMap { $0 as? String } ?? []
    var result: [String: Date] = [:]
    for path in paths {
      // A part may have got its name meanwhile.
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: scratch.path("out/" + path)) else {
        continue
      }
      if attributes[.type] as? FileAttributeType == .typeRegular {
        result[path] = attributes[.modificationDate] as? Date
      }
    }
    return result
  }

  private func expectWhole(_ scratch: Scratch, _ count: Int, frames: Int = 8) throws {
    let made = outputs(scratch)
    #expect(made.count == count, "\(made.keys.sorted())")
    for name in made.keys {
      #expect(name.hasSuffix(".mkv") && !name.contains("partial"), "\(name)")
      #expect(try Probe(scratch.path("out/" + name), ["-show_packets"]).packets?.count == frames, "\(name)")
    }
  }

  @Test func aFolderIsConverted() throws {
    let scratch = try Scratch()
    let count = try library(scratch)
    let first = try Command.program(convert(scratch, ["--report", scratch.path("report.json")]))
    #expect(first.status == 1, "\(first.messages)")
    #expect(first.messages.contains("\(count + 9) films: \(count) converted, 2 SDR, 7 failed"), "\(first.messages)")
    try expectWhole(scratch, count)
    let before = outputs(scratch)
    let second = try Command.program(convert(scratch))
    #expect(
      second.status == 1 && second.messages.contains("\(count + 9) films: \(count) there already, 2 SDR, 7 failed"))
    #expect(outputs(scratch) == before)
    let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path("report.json")))
    let report = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(report["converted"] as? Int == count && report["failed"] as? Int == 7)
    #expect((report["files"] as? [[String: Any]])?.count == count + 9)
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path("in/1")) where name.hasPrefix("broken")
    {
      try FileManager.default.removeItem(atPath: scratch.path("in/1/" + name))
    }
    for number in 0..<2 { try FileManager.default.removeItem(atPath: scratch.path("in/2/unreadable \(number).mkv")) }
    #expect(try Command.program(convert(scratch)).status == 0)
  }

  /// Stopped by a signal, killed, and run again: complete, and nothing is converted twice.
  @Test(arguments: [SIGINT, SIGKILL]) func aRunThatWasStoppedGoesOn(_ signal: Int32) throws {
    let scratch = try Scratch()
    let count = try library(scratch, frames: 60)
    let process = try Command.start(
      convert(scratch), output: FileHandle.nullDevice, messages: FileHandle.nullDevice)
    let limit = TimeLimit(process)
    defer { limit.end() }
    _ = comesTrue(every: 0.01) {
      outputs(scratch).keys.count { !$0.contains(".part") } >= 3 || !process.isRunning
    }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    let stopped = outputs(scratch)
    if signal == SIGINT { #expect(process.terminationStatus == 130) }
    // The processes of a killed run end by themselves, and remove what they have begun.
    #expect(comesTrue { outputs(scratch).keys.allSatisfy { !$0.hasSuffix(".part") } })
    let partial = stopped.keys.filter { $0.contains("partial") }
    #expect(signal == SIGINT || partial.isEmpty)
    for name in partial { #expect(try Probe(scratch.path("out/" + name), ["-show_packets"]).packets?.isEmpty == false) }
    let again = try Command.program(convert(scratch))
    #expect(again.status == 1 && again.messages.contains("7 failed"), "\(again.messages)")
    try expectWhole(scratch, count, frames: 60)
    let now = outputs(scratch)
    for (name, date) in stopped where !name.contains(".part") { #expect(now[name] == date, "\(name)") }
  }

  /// Two processes share the work: no film is converted twice, and both end when all of it is done.
  @Test func twoRunsShareAFolder() throws {
    let scratch = try Scratch()
    let count = try library(scratch, frames: 20)
    let messages = ["one", "two"].map { scratch.path($0) }
    let processes = try messages.map { path in
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      return try Command.start(
        convert(scratch), output: FileHandle.nullDevice, messages: FileHandle(forWritingTo: URL(fileURLWithPath: path)))
    }
    let limits = processes.map { TimeLimit($0) }
    defer { limits.forEach { $0.end() } }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 1)
    }
    try expectWhole(scratch, count, frames: 20)
    let tables = try messages.map { try String(contentsOfFile: $0, encoding: .utf8) }
    let converted = tables.flatMap { $0.split(separator: "\n").filter { $0.hasPrefix("converted") } }
    #expect(converted.count == count, "\(tables)")
  }

  @Test func inputsAndFoldersInWords() throws {
    let scratch = try Scratch()
    let film = try scratch.clip("a.mkv", frames: 2)
    let other = try scratch.clip("b.mkv", frames: 2)
    let cases: [([String], Int32, String)] = [
      ([film, other], 2, "-o"), ([film, other, "-o", "-"], 2, "-o FOLDER/"),
      ([film, other, "-o", film], 2, "is not a folder"),
      ([film, "-o", "x.mkv", "--jobs", "2"], 2, "--jobs"),
      ([film, other, "-o", "out/", "--dry-run", "--json"], 2, "--json"),
      ([scratch.folder.path, "-o", scratch.folder.path], 2, "input folder"),
      ([film, "none.mkv", "-o", "out/"], 1, "none.mkv"), ([film, "-", "-o", "out/"], 2, "'-'"),
    ]
    for (arguments, status, words) in cases {
      let result = try Command.program(["transcode"] + arguments, in: scratch.folder)
      #expect(result.status == status && result.messages.contains(words), "\(arguments): \(result.messages)")
    }
    let dry = try Command.program(
      ["transcode", film, other, "-o", "out/", "--suffix", ".mp4", "--dry-run"], in: scratch.folder)
    #expect(dry.status == 0 && dry.output.contains("\(film) -> out/a.mp4"), "\(dry)")
    #expect(Set(scratch.contents) == ["a.mkv", "b.mkv"])
    // Named films are converted though they are SDR.
    let done = try Command.program(
      ["transcode", film, other, "-o", "out/new/", "-q", "-c:v", "ffv1"], in: scratch.folder)
    #expect(done.status == 0, "\(done.messages)")
    #expect(outputs(scratch).keys.sorted() == ["new/a.mkv", "new/b.mkv"])
  }

  /// One film is skipped as well.
  @Test func aFilmThatExistsIsSkipped() throws {
    let scratch = try Scratch()
    let film = try scratch.clip("a.mkv", frames: 2)
    try Data("there".utf8).write(to: URL(fileURLWithPath: scratch.path("x.mkv")))
    let result = try Command.run(["transcode", film, "-o", scratch.path("x.mkv"), "--skip-existing"])
    #expect(result.status == 0 && result.messages.contains("exists"))
    #expect(try String(contentsOfFile: scratch.path("x.mkv"), encoding: .utf8) == "there")
  }

  /// A film that is still being written is no film yet.
  @Test func aFileThatGrowsIsNotWhole() throws {
    let scratch = try Scratch()
    let film = try scratch.clip(
      "a.ts", size: "640x360", frames: 400, ["-c:v", "libx264", "-preset", "ultrafast", "-f", "mpegts"])
    let process = try Command.start(
      ["transcode", film, "-o", scratch.path("x.mkv")] + JobTests.encoder, output: FileHandle.nullDevice,
      messages: FileHandle.nullDevice)
    let limit = TimeLimit(process)
    defer { limit.end() }
    scratch.waitForPart(of: process)
    let more = try FileHandle(forWritingTo: URL(fileURLWithPath: film))
    try more.seekToEnd()
    try more.write(contentsOf: Data(count: 188))
    try more.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(Set(scratch.contents) == ["a.ts", "x.partial.mkv"])
  }
}
