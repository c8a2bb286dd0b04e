import Foundation
import TestSupport
import Testing

/// What an earlier run has left may be the input of the next.
@Suite struct PartialInputTests {
  @Test func aPartialFileThatIsReadStays() throws {
    let scratch = try Scratch()
    let film = try scratch.clip("film.mkv", size: "640x360", frames: 400, ["-c:v", "libx264", "-preset", "ultrafast"])
    try FileManager.default.createDirectory(atPath: scratch.path("x"), withIntermediateDirectories: true)
    let process = try Command.start(
      ["transcode", film, "-o", scratch.path("x/film.mkv")] + JobTests.encoder, output: FileHandle.nullDevice,
      messages: FileHandle.nullDevice)
    let limit = TimeLimit(process)
    defer { limit.end() }
    _ = comesTrue(every: 0.01) {
      Scratch.names(in: scratch.path("x")).contains { $0.hasSuffix(".part") } || !process.isRunning
    }
    Thread.sleep(forTimeInterval: 0.2)
    process.interrupt()
    process.waitUntilExit()
    let partial = scratch.path("x/film.partial.mkv")
    guard FileManager.default.fileExists(atPath: partial) else { return }
    let result = try Command.run(["transcode", partial, "-o", scratch.path("x/film.mkv"), "--frames", "0-2"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(Set(Scratch.names(in: scratch.path("x"))) == ["film.mkv", "film.partial.mkv"])
    // Any other run takes it for what it is.
    let whole = try Command.run(["transcode", film, "-o", scratch.path("x/film.mkv"), "--frames", "0-2", "--overwrite"])
    #expect(whole.status == 0, "\(whole.messages)")
    #expect(Scratch.names(in: scratch.path("x")) == ["film.mkv"])
  }
}
