import Foundation
import TestSupport
import Testing

/// Memory does not grow with the length of the input.
@Suite(.serialized) struct MemoryTests {
  /// Peak memory of a run in KiB, as the system reports it at the end.
  ///
  /// Measured by a small intermediate process: a child inherits the figure of the process that started it.
  private func peakMemory(_ arguments: [String]) throws -> Int {
    let script = """
      import resource, subprocess, sys
      nothing = subprocess.DEVNULL
      subprocess.run(sys.argv[1:], stdin=nothing, stdout=nothing, stderr=nothing, check=True)
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let figure = try Python.run(script, [Command.url.path] + arguments)
    return try #require(Int(figure.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// The clip with many streams, repeated to a number of frames.
  private func looped(_ scratch: Scratch, _ frames: Int) throws -> String {
    let clip = try scratch.clipOfManyStreams("clip.mkv")
    let path = scratch.path("looped-\(frames).mkv")
    try Tool.ffmpeg.run([
      "-stream_loop", "-1", "-i", clip, "-map", "0:v", "-map", "0:a", "-c", "copy", "-t", "\(frames / 25)", "-y", path,
    ])
    return path
  }

  @Test(.enabled(if: LongTests.areWanted)) func isFlat() throws {
    let scratch = try Scratch()
    // How threads share an allocator differs from run to run by a few per cent: the least of three is the program's.
    func peak(_ frames: Int) throws -> Int {
      let input = try looped(scratch, frames)
      let peaks = try (0..<3).map { _ in
        try peakMemory([
          "transcode", input, "-o", scratch.path("out-\(frames).mkv"), "--overwrite", "-c:v", "libx264", "--preset",
          "ultrafast", "--threads", "2", "-q",
        ])
      }
      return peaks.min() ?? 0
    }
    let (short, long) = (try peak(500), try peak(5000))
    #expect(short > 20_000)
    #expect(Double(long) < 1.05 * Double(short), "\(short) KiB for 500 frames, \(long) KiB for 5000")
    print("Memory: \(short) KiB for 500 frames, \(long) KiB for 5000.")
  }

  /// An hour of audio beside three seconds of pictures: the audio is not buffered in memory.
  @Test(.enabled(if: LongTests.areWanted)) func audioAloneIsNotKept() throws {
    let scratch = try Scratch()
    func peak(_ seconds: Int) throws -> Int {
      let input = scratch.path("sound-\(seconds).mkv")
      try Tool.ffmpeg.run([
        "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=3", "-f", "lavfi", "-i",
        "sine=440:duration=\(seconds)", "-c:v", "libx264", "-c:a", "pcm_s16le", "-y", input,
      ])
      return try peakMemory(["transcode", input, "-o", scratch.path("out-\(seconds).mkv"), "-q", "--threads", "2"])
    }
    let (short, long) = (try peak(60), try peak(3600))
    // An hour of it is 300 MiB.
    #expect(Double(long) < 1.1 * Double(short), "\(short) KiB for a minute of sound, \(long) KiB for an hour")
  }
}
