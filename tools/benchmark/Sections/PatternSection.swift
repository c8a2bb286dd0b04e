/// Test patterns at 2160p: writing all of them as pictures compared with painting a single colour, and verifying
/// compared with decoding.
struct PatternSection {
  private static let size = "3840x2160"
  private static let frames = 100
  private static let rate = 25
  /// One pattern with identical frames, one with different ones.
  private static let verified = ["bt2111-pq", "counter"]

  let headroom: String

  func measure(_ setting: Setting) throws -> [ProcessComparison] {
    for name in Self.verified { _ = try maker(of: name).run(in: setting.scratch) }
    return try ProcessPair.compare(
      [whole(setting.ffmpeg)] + Self.verified.map { verification(of: $0, setting.ffmpeg) }, rounds: setting.rounds,
      in: setting.scratch)
  }

  private func maker(of name: String) -> MeasuredProcess {
    MeasuredProcess(
      program: headroom,
      arguments: [
        "pattern", name, "-o", clip(name), "--size", Self.size, "--duration", "\(Self.frames / Self.rate)", "--rate",
        "\(Self.rate)", "--preset", "ultrafast", "--overwrite", "--quiet",
      ])
  }

  private func clip(_ name: String) -> String { "\(name).mp4" }

  private func verification(of name: String, _ ffmpeg: FFmpeg) -> ProcessPair {
    ProcessPair(
      task: "verify \(name), \(Self.frames) frames", referenceName: "ffmpeg, decoding",
      reference: ffmpeg.process(["-i", clip(name), "-f", "null", "-"]),
      ours: MeasuredProcess(program: headroom, arguments: ["verify", clip(name), "--pattern", name, "--quiet"]))
  }

  /// Creates each pattern in a separate process, as a user would.
  private func whole(_ ffmpeg: FFmpeg) -> ProcessPair {
    let names = "$('\(headroom)' pattern --list | cut -d ' ' -f 1)"
    let pattern = "'\(headroom)' pattern $name -o $name.png --size \(Self.size) --overwrite --quiet || exit 1"
    return ProcessPair(
      task: "every pattern as PNG of 16 bit", referenceName: "ffmpeg, 18 of its own",
      reference: ffmpeg.process([
        "-y", "-f", "lavfi", "-i", "testsrc2=size=\(Self.size):rate=1", "-frames:v", "18", "-pix_fmt", "rgb48be",
        "testsrc-%02d.png",
      ]),
      ours: MeasuredProcess(program: "sh", arguments: ["-c", "for name in \(names); do \(pattern); done"]))
  }
}
