/// Frames as pictures and raw buffers: OpenEXR compared with ffmpeg, raw half floats with the cost of a file and a
/// pipe.
struct PictureSection {
  private static let clip = "pictures.mp4"
  /// Enough frames to make the startup time of a process negligible.
  private static let (exrFrames, rawFrames) = (24, 96)
  /// Half-float R, G, B and alpha at 1920x1080.
  private static let frameBytes = 1920 * 1080 * 8

  let headroom: String

  func measure(_ setting: Setting) throws -> [ProcessComparison] {
    _ = try Self.clipMaker(setting).run(in: setting.scratch)
    return try ProcessPair.compare(pairs(setting.ffmpeg), rounds: setting.rounds, in: setting.scratch)
  }

  private static func clipMaker(_ setting: Setting) -> MeasuredProcess {
    setting.ffmpeg.process([
      "-stream_loop", "-1", "-r", "30", "-i", setting.clip, "-frames:v", "\(rawFrames)", "-an", "-vf",
      "scale=1920:1080:flags=bicubic", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast",
      "-x265-params",
      "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited:log-level=none", clip,
    ])
  }

  private func pairs(_ ffmpeg: FFmpeg) -> [ProcessPair] {
    let bytes = ["if=/dev/zero", "bs=\(Self.frameBytes)", "count=\(Self.rawFrames)", "status=none"]
    let dump = ["dump", Self.clip, "--overwrite", "--quiet"]
    func shell(_ line: String) -> MeasuredProcess { MeasuredProcess(program: "sh", arguments: ["-c", line]) }
    return [
      ProcessPair(
        task: "OpenEXR, ZIP, \(Self.exrFrames) frames", referenceName: "ffmpeg",
        reference: ffmpeg.process([
          "-y", "-i", Self.clip, "-frames:v", "\(Self.exrFrames)", "-vf",
          "zscale=m=gbr:r=full:t=linear:npl=100,format=gbrpf32le", "-c:v", "exr", "-format", "half", "-compression",
          "zip16", "ffmpeg-%03d.exr",
        ]),
        ours: MeasuredProcess(
          program: headroom, arguments: dump + ["-o", "headroom-%03d.exr", "--frames", "0-\(Self.exrFrames - 1)"])),
      ProcessPair(
        task: "raw half floats to a file, \(Self.rawFrames) frames", referenceName: "dd, as many zeros",
        reference: MeasuredProcess(program: "dd", arguments: bytes + ["of=dd.raw"]),
        ours: MeasuredProcess(program: headroom, arguments: dump + ["-o", "headroom.raw"]),
        // A virtual machine returns free memory after some seconds, and whatever comes first then is five times as
        // slow: both start in that state.
        preparation: shell("rm -f dd.raw headroom.raw headroom.raw.json; sync; sleep 6")),
      ProcessPair(
        task: "raw half floats through a pipe", referenceName: "dd, as many zeros",
        reference: shell("dd \(bytes.joined(separator: " ")) | cat > /dev/null"),
        ours: shell("'\(headroom)' \(dump.joined(separator: " ")) -f rgba16Float -o - | cat > /dev/null")),
    ]
  }
}
