internal import Foundation

/// Whole transcodes of a 2160p60 HEVC clip, compared with ffmpeg without HDR processing.
struct ProcessSection {
  /// Fewer than for single frames: each takes a third of a minute.
  static let maximumRounds = 3
  private static let clip = "clip.mp4"
  private static let frames = 120
  /// The number of frames to encode, which takes longer.
  private static let encodedFrames = 60
  private static let rate = 60

  let headroom: String

  func measure(_ setting: Setting) throws -> ProcessReport {
    _ = try Self.clipMaker(setting).run(in: setting.scratch)
    let comparisons = try ProcessPair.compare(
      pairs(setting.ffmpeg), rounds: min(setting.rounds, Self.maximumRounds), in: setting.scratch)
    let bytes = try FileManager.default.attributesOfItem(atPath: setting.scratch.path(Self.clip))[.size] as? Int ?? 0
    return ProcessReport(
      clipFrames: Self.frames, clipMbitPerS: Double(bytes * 8 * Self.rate / Self.frames) / 1e6,
      comparisons: comparisons)
  }

  private static func clipMaker(_ setting: Setting) -> MeasuredProcess {
    let tags = "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited:log-level=none"
    return setting.ffmpeg.process([
      "-stream_loop", "-1", "-r", "\(rate)", "-i", setting.clip, "-frames:v", "\(frames)", "-an",
      "-vf", "scale=3840:2160:flags=bicubic", "-pix_fmt", "yuv420p10le", "-c:v", "libx265",
      "-preset", "ultrafast", "-b:v", "25M", "-x265-params", tags, "-color_primaries", "bt2020",
      "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv", "-tag:v", "hvc1", clip,
    ])
  }

  private func pairs(_ ffmpeg: FFmpeg) -> [ProcessPair] {
    let (clip, encoder) = (Self.clip, ["-c:v", "libx264"])
    return [
      ProcessPair(
        task: "output thrown away", referenceName: "ffmpeg, no HDR work",
        reference: ffmpeg.process(["-i", clip, "-f", "null", "-"]),
        ours: MeasuredProcess(program: headroom, arguments: ["transcode", clip, "-f", "null", "--quiet"])),
      ProcessPair(
        task: "libx264 veryfast, \(Self.encodedFrames) frames", referenceName: "ffmpeg, no HDR work",
        reference: ffmpeg.process(
          ["-y", "-i", clip, "-vf", "format=yuv420p"] + encoder
            + ["-preset", "veryfast", "-crf", "23", "-an", "-frames:v", "\(Self.encodedFrames)", "ffmpeg.mp4"]),
        ours: MeasuredProcess(
          program: headroom,
          arguments: ["transcode", clip, "-o", "headroom.mp4", "--overwrite", "--quiet"] + encoder
            + ["--preset", "veryfast", "--crf", "23", "--frames", "0-\(Self.encodedFrames - 1)"])),
    ]
  }
}
