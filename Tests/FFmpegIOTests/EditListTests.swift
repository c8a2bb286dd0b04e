import Foundation
import TestSupport
import Testing

/// Packets that an edit list hides are not copied.
@Suite struct EditListTests {
  /// Seconds of the first packet of each stream that is shown.
  private func starts(_ path: String) throws -> [Double] {
    let probe = try Tool.ffprobe.run(["-show_entries", "stream=start_time", "-of", "csv=p=0", path])
    return String(decoding: probe, as: UTF8.self).split(separator: "\n").compactMap { Double($0) }
  }

  @Test(arguments: ["mkv", "mp4", "mov", "ts"], ["aac", "ac3", "libmp3lame"])
  func copiedSoundBeginsWithThePicture(_ container: String, _ audio: String) throws {
    let scratch = try Scratch()
    let sound = [
      "-f", "lavfi", "-i", "sine=duration=6", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
    ]
    let whole = try scratch.clip("whole.mp4", size: "64x64", frames: 150, sound + ["-g", "250", "-c:a", audio])
    let input = scratch.path("in.mp4")
    try Tool.ffmpeg.run(["-ss", "3.1", "-i", whole, "-c", "copy", input])
    let output = scratch.path("out." + container)
    try Remake.write(output, from: input)
    let times = try starts(output)
    #expect(times.count == 2 && abs(times[0] - times[1]) <= 0.07, "\(times)")
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
