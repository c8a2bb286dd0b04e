import Foundation
import TestSupport
import Testing

/// Packets that an edit list hides are not copied.
@Suite struct EditListTests {
  /// Seconds of the first packet of a stream that is shown.
  private func start(_ path: String, _ stream: String) throws -> Double? {
    let arguments = ["-select_streams", stream, "-show_entries", "stream=start_time", "-of", "default=nk=1:nw=1", path]
    let text = String(decoding: try Tool.ffprobe.run(arguments), as: UTF8.self)
    return text.split(separator: "\n").first.flatMap { Double($0) }
  }

  @Test(arguments: ["mkv", "mp4", "mov", "ts"], ["aac", "ac3", "libmp3lame"])
  func copiedSoundBeginsWithThePicture(_ container: String, _ audio: String) throws {
    let scratch = try Scratch()
    let coding = [
      "-f", "lavfi", "-i", "sine=duration=6", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
    ]
    let whole = try scratch.clip("whole.mp4", size: "64x64", frames: 150, coding + ["-g", "250", "-c:a", audio])
    let input = scratch.path("in.mp4")
    try Tool.ffmpeg.run(["-ss", "3.1", "-i", whole, "-c", "copy", input])
    let output = scratch.path("out." + container)
    try Remake.write(output, from: input)
    let (picture, sound) = (try #require(try start(output, "v:0")), try #require(try start(output, "a:0")))
    #expect(abs(picture - sound) <= 0.07, "\(picture) \(sound)")
  }

  /// A decoder needs the packet before the first that is shown.
  @Test func primingStays() throws {
    let scratch = try Scratch()
    let sound = [
      "-f", "lavfi", "-i", "sine=duration=1", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
    ]
    let input = try scratch.clip("in.mp4", size: "64x64", frames: 25, sound + ["-c:a", "aac"])
    let output = scratch.path("out.mp4")
    try Remake.write(output, from: input)
    let hash = { (path: String) in try Tool.ffmpeg.run(["-i", path, "-map", "0:a", "-f", "md5", "-"]) }
    #expect(try hash(output) == hash(input))
  }
}
