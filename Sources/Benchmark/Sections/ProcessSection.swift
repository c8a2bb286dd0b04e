internal import Foundation

/// Whole transcodes of a 2160p60 HEVC clip beside what ffmpeg does without any HDR work.
struct ProcessSection {
  /// Fewer than of single frames: one takes a third of a minute.
  static let mostRounds = 3
  private static let clip = "clip.mp4"
  private static let frames = 120
  /// Of them, those that are encoded, which takes longer.
  private static let encodedFrames = 60
  private static let rate = 60

  let headroom: String

  private struct Key: Hashable {
    let pair: Int
    let isOurs: Bool
    let figure: Figure
  }

  private enum Figure: CaseIterable {
    case wall, cpu, memory
  }

  private struct Pair {
    let task: String
    let reference: ChildProcess
    let ours: ChildProcess
  }

  func measure(_ setting: Setting) throws -> ProcessReport {
    _ = try Self.clipMaker(setting).run(in: setting.scratch)
    let pairs = pairs(setting.ffmpeg)
    let contestants = pairs.enumerated().flatMap { index, pair in
      [(pair.reference, false), (pair.ours, true)].map { process, isOurs in
        Rounds<Key>.Contestant {
          let usage = try process.run(in: setting.scratch)
          return [
            Key(pair: index, isOurs: isOurs, figure: .wall): usage.wallSeconds,
            Key(pair: index, isOurs: isOurs, figure: .cpu): usage.cpuSeconds,
            Key(pair: index, isOurs: isOurs, figure: .memory): usage.peakMemoryMiB,
          ]
        }
      }
    }
    let rounds = try Rounds(contestants, count: min(setting.rounds, Self.mostRounds))
    let comparisons = pairs.enumerated().compactMap { index, pair -> ProcessComparison? in
      guard let reference = Self.use(pair.reference, rounds, index, isOurs: false),
        let ours = Self.use(pair.ours, rounds, index, isOurs: true)
      else { return nil }
      return ProcessComparison(task: pair.task, reference: reference, ours: ours)
    }
    let bytes = try FileManager.default.attributesOfItem(atPath: setting.scratch.path(Self.clip))[.size] as? Int ?? 0
    return ProcessReport(
      clipFrames: Self.frames, clipMbitPerS: Double(bytes * 8 * Self.rate / Self.frames) / 1e6,
      comparisons: comparisons)
  }

  private static func use(
    _ process: ChildProcess, _ rounds: Rounds<Key>, _ pair: Int, isOurs: Bool
  ) -> ProcessUse? {
    let figures = Figure.allCases.compactMap { rounds.summary(Key(pair: pair, isOurs: isOurs, figure: $0)) }
    guard figures.count == Figure.allCases.count else { return nil }
    let program = process.program.split(separator: "/").last.map(String.init) ?? process.program
    return ProcessUse(
      command: ([program] + process.arguments).joined(separator: " "), wallS: figures[0], cpuS: figures[1],
      peakMemoryMib: figures[2])
  }

  private static func clipMaker(_ setting: Setting) -> ChildProcess {
    let tags = "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited:log-level=none"
    return setting.ffmpeg.process([
      "-stream_loop", "-1", "-r", "\(rate)", "-i", setting.clip, "-frames:v", "\(frames)", "-an",
      "-vf", "scale=3840:2160:flags=bicubic", "-pix_fmt", "yuv420p10le", "-c:v", "libx265",
      "-preset", "ultrafast", "-b:v", "25M", "-x265-params", tags, "-color_primaries", "bt2020",
      "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv", "-tag:v", "hvc1", clip,
    ])
  }

  private func pairs(_ ffmpeg: FFmpeg) -> [Pair] {
    let (clip, encoder) = (Self.clip, ["-c:v", "libx264"])
    return [
      Pair(
        task: "output thrown away",
        reference: ffmpeg.process(["-i", clip, "-f", "null", "-"]),
        ours: ChildProcess(program: headroom, arguments: ["transcode", clip, "-f", "null", "--quiet"])),
      Pair(
        task: "libx264 veryfast, \(Self.encodedFrames) frames",
        reference: ffmpeg.process(
          ["-y", "-i", clip, "-vf", "format=yuv420p"] + encoder
            + ["-preset", "veryfast", "-crf", "23", "-an", "-frames:v", "\(Self.encodedFrames)", "ffmpeg.mp4"]),
        ours: ChildProcess(
          program: headroom,
          arguments: ["transcode", clip, "-o", "headroom.mp4", "--overwrite", "--quiet"] + encoder
            + ["--preset", "veryfast", "--crf", "23", "--frames", "0-\(Self.encodedFrames - 1)"])),
    ]
  }
}
