import Foundation
import TestSupport
import Testing

/// Audio that is encoded because the user wants it to be.
@Suite struct AudioTests {
  private static let tags = [
    "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv",
  ]

  /// Sound by channel, as expressions of ffmpeg, with a film.
  private func film(
    _ scratch: Scratch, _ name: String, _ channels: [String], _ layout: String, rate: Int = 48_000,
    codec: [String] = ["-c:a", "flac", "-sample_fmt", "s32"]
  ) throws -> String {
    let path = scratch.path(name)
    try Tool.ffmpeg.run(
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-f", "lavfi", "-i"]
        + ["aevalsrc=\(channels.joined(separator: "|")):c=\(layout):s=\(rate):d=2"]
        + ["-map", "0", "-map", "1", "-c:v", "libx264", "-preset", "ultrafast"] + Self.tags + codec + ["-y", path])
    return path
  }

  private func transcode(_ input: String, _ output: String, _ options: [String]) throws -> Command.Result {
    try Command.run(["transcode", input, "-o", output, "--preset", "ultrafast", "--overwrite"] + options)
  }

  private func sound(_ path: String) throws -> [Probe.Stream] {
    (try Probe(path, ["-show_streams"]).streams ?? []).filter { $0.codec_type == "audio" }
  }

  /// Samples of one channel at the film's own times, silence included.
  private func samples(_ path: String, channel: Int = 0, rate: Int = 48_000) throws -> [Double] {
    let start = try Probe(path, ["-show_packets", "-select_streams", "v"]).packets?.compactMap(\.pts_time)
      .compactMap(Double.init).min()
    let data = try Tool.ffmpeg.run([
      "-copyts", "-i", path, "-map", "0:a:0", "-af",
      "asetpts=PTS-\(start ?? 0)/TB,aresample=\(rate):async=1:min_hard_comp=0.0001:first_pts=0,pan=mono|c0=c\(channel)",
      "-f", "f32le", "-",
    ])
    return unsafe data.withUnsafeBytes { unsafe $0.bindMemory(to: Float.self).map(Double.init) }
  }

  /// Amplitude of a tone in the second half.
  private func amplitude(_ samples: [Double], _ frequency: Double) -> Double {
    let part = samples[48_000..<86_400]
    var (cosine, sine) = (0.0, 0.0)
    for (index, value) in part.enumerated() {
      let angle = 2 * Double.pi * frequency * Double(index) / 48_000
      cosine += value * cos(angle)
      sine += value * sin(angle)
    }
    return 2 * (cosine * cosine + sine * sine).squareRoot() / Double(part.count)
  }

  private static let tones = [500, 700, 900, 100, 1100, 1300]
  private static let surround = tones.map { "0.5*sin(2*PI*\($0)*t)" }

  /// ITU-R BS.775: centre and surrounds 3 dB down, no LFE, lowered so that full scale everywhere is full scale.
  @Test func stereoMix() throws {
    let scratch = try Scratch()
    let input = try film(scratch, "in.mkv", Self.surround, "5.1(side)")
    let output = scratch.path("out.mkv")
    let result = try transcode(input, output, ["-c:a", "pcm_s24le", "--downmix", "stereo"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.messages.contains("stereo, 48 kHz; mixed down from 5.1(side) without LFE"), "\(result.messages)")
    let scale = 1 / (1 + 2 * 0.5.squareRoot())
    let half = 0.5.squareRoot()
    for (channel, expected) in [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]].enumerated() {
      let heard = try samples(output, channel: channel)
      for (tone, weight) in zip(Self.tones, expected) {
        let amplitude = amplitude(heard, Double(tone))
        #expect(abs(amplitude - 0.5 * scale * weight) < 2e-5, "\(channel) \(tone) \(amplitude)")
      }
    }
  }

  @Test func monoMix() throws {
    let scratch = try Scratch()
    let input = try film(scratch, "in.mkv", Self.surround, "5.1")
    let output = scratch.path("out.mkv")
    let result = try transcode(input, output, ["--downmix", "mono", "-c:a", "flac"])
    #expect(result.status == 0, "\(result.messages)")
    let half = 0.5.squareRoot()
    let scale = 1 / (2 * half + 1 + 2 * 0.5)
    let heard = try samples(output)
    for (tone, weight) in zip(Self.tones, [half, half, 1, 0, 0.5, 0.5]) {
      let amplitude = amplitude(heard, Double(tone))
      #expect(abs(amplitude - 0.5 * scale * weight) < 2e-5, "\(tone) \(amplitude)")
    }
  }

  /// Every channel at full scale, decoded to floating point, where FFmpeg would not lower the sum by itself.
  @Test func nothingClips() throws {
    let scratch = try Scratch()
    let full = [String](repeating: "0.999*sin(2*PI*500*t)", count: 6)
    let input = try film(scratch, "in.mkv", full, "5.1", codec: ["-c:a", "aac", "-b:a", "640k"])
    let output = scratch.path("out.mkv")
    let result = try transcode(input, output, ["-c:a", "flac", "--downmix", "stereo"])
    #expect(result.status == 0, "\(result.messages)")
    let amplitude = try amplitude(samples(output), 500)
    // A sum that clips has a fundamental of more than 1.
    #expect((0.9...1).contains(amplitude), "\(amplitude)")
  }

  @Test func whatNeedsNoMixIsCopied() throws {
    let scratch = try Scratch()
    let input = try film(scratch, "in.mkv", ["0.5*sin(800*t)", "0"], "stereo", codec: ["-c:a", "aac"])
    let output = scratch.path("out.mkv")
    let result = try transcode(input, output, ["--downmix", "stereo"])
    #expect(result.status == 0 && result.messages.contains("#1 audio aac has no more channels than stereo: copied."))
    let hashes = try [input, output].map {
      try Tool.ffmpeg.run(["-i", $0, "-map", "0:a", "-c", "copy", "-f", "md5", "-"])
    }
    #expect(hashes[0] == hashes[1])
    // Surround sound gets the container's usual encoder.
    let six = try film(scratch, "six.mkv", Self.surround, "5.1")
    #expect(try transcode(six, output, ["--downmix", "stereo", "--audio-bitrate", "160k"]).status == 0)
    let made = try sound(output)
    #expect(made.map(\.codec_name) == ["aac"] && made.first?.channels == 2)
  }

  /// Formats, rates and layouts that an encoder lacks are converted, and a click stays where it is in the film.
  @Test(arguments: [
    ("aac", "mp4", "5.1", "48000"), ("aac", "mkv", "5.1", "48000"), ("libopus", "mkv", "5.1", "48000"),
    ("libopus", "mp4", "5.1", "48000"), ("ac3", "mkv", "5.1(side)", "48000"), ("eac3", "ts", "5.1(side)", "48000"),
    ("flac", "mkv", "5.1(side)", "48000"),
  ])
  func surroundIsEncoded(_ encoder: String, _ container: String, _ layout: String, _ rate: String) throws {
    try check(encoder, container, layout, rate, channels: 6, from: "5.1(side)", 48_000, ["-c:a", "ac3"])
  }

  @Test(arguments: [
    ("aac", "mp4", "mono", "44100"), ("libopus", "mkv", "mono", "48000"), ("libopus", "webm", "mono", "48000"),
    ("ac3", "mp4", "mono", "44100"), ("flac", "mkv", "mono", "44100"), ("libmp3lame", "mkv", "mono", "44100"),
    ("libvorbis", "mkv", "mono", "44100"),
  ])
  func monoIsEncoded(_ encoder: String, _ container: String, _ layout: String, _ rate: String) throws {
    try check(encoder, container, layout, rate, channels: 1, from: "mono", 44_100, ["-c:a", "aac"])
  }

  private func check(
    _ encoder: String, _ container: String, _ layout: String, _ rate: String, channels: Int, from source: String,
    _ sourceRate: Int, _ codec: [String]
  ) throws {
    let scratch = try Scratch()
    let click = "0.8*sin(2*PI*3000*t)*exp(-pow((t-1)*400\\,2))"
    let input = try film(
      scratch, "in.mp4", [String](repeating: click, count: channels), source, rate: sourceRate, codec: codec)
    let output = scratch.path("out.\(container)")
    let options = container == "webm" ? ["-c:v", "libvpx-vp9"] : []
    let result = try Command.run(["transcode", input, "-o", output, "-c:a", encoder] + options)
    #expect(result.status == 0, "\(result.messages)")
    let made = try #require(try sound(output).first)
    #expect(made.channels == channels && made.sample_rate == rate && made.channel_layout == layout, "\(made)")
    #expect(abs(try center(samples(output)) - center(samples(input))) < 0.001)
  }

  /// Seconds of the middle of a click's energy.
  private func center(_ samples: [Double]) -> Double {
    let energies = samples.map { $0 * $0 }
    let loudest = energies.indices.max { energies[$0] < energies[$1] } ?? 0
    let part = energies[max(0, loudest - 400)..<min(energies.count, loudest + 400)]
    let sum = zip(part.indices, part).reduce(0) { $0 + Double($1.0) * $1.1 }
    return sum / part.reduce(0, +) / 48_000
  }

  /// 7.1 is more than AC-3 has: its low-frequency effects stay, its surrounds are joined.
  @Test func encodersWithFewerChannels() throws {
    let scratch = try Scratch()
    let eight = (0..<8).map { "0.5*sin(2*PI*\(400 + 200 * $0)*t)" }
    let input = try film(scratch, "in.mkv", eight, "7.1")
    let output = scratch.path("out.mkv")
    let result = try transcode(input, output, ["-c:a", "ac3"])
    #expect(result.messages.contains("mixed down from 7.1,"), "\(result.messages)")
    #expect(try sound(output).first?.channels == 6)
  }

  /// FLAC of a lossless source has its samples, to the last of them.
  @Test func losslessStaysLossless() throws {
    let scratch = try Scratch()
    let input = try film(scratch, "in.mkv", ["0.7*sin(900*t)", "0.3*random(0)"], "stereo", rate: 44_100)
    let output = scratch.path("out.mkv")
    #expect(try transcode(input, output, ["-c:a", "flac"]).status == 0)
    let sums = try [input, output].map {
      try Tool.ffmpeg.run(["-i", $0, "-map", "0:a", "-c:a", "pcm_s24le", "-f", "md5", "-"])
    }
    #expect(sums[0] == sums[1])
  }

  /// Opus in Matroska is not earlier with every copy.
  @Test func copiesOfOpusStayInTime() throws {
    let scratch = try Scratch()
    let click = "0.8*sin(2*PI*3000*t)*exp(-pow((t-1)*400\\,2))"
    let input = try film(scratch, "in.mp4", [click], "mono", codec: ["-c:a", "libopus"])
    let paths = ["1.mkv", "2.mkv", "3.mkv"].map { scratch.path($0) }
    for (from, to) in zip([input] + paths, paths) { #expect(try transcode(from, to, []).status == 0) }
    #expect(abs(try center(samples(paths[2])) - center(samples(input))) < 0.0015)
  }

  @Test func bitRate() throws {
    let scratch = try Scratch()
    let input = try film(scratch, "in.mkv", ["0.3*sin(900*t)", "0.3*sin(700*t)"], "stereo")
    let output = scratch.path("out.mkv")
    let result = try transcode(input, output, ["-c:a", "ac3", "-b:a", "256k"])
    #expect(result.status == 0 && result.messages.contains("256 kbit/s"), "\(result.messages)")
    #expect(try sound(output).first?.bit_rate == "256000")
  }

  @Test(arguments: [
    (["--audio-bitrate", "192k"], "--audio-bitrate is for audio that is re-encoded: name an encoder"),
    (["-c:a", "copy", "--audio-bitrate", "192k"], "name an encoder, such as -c:a aac"),
    (["-c:a", "copy", "--downmix", "stereo"], "--downmix is for audio that is re-encoded"),
    (["-c:a", "flac", "--audio-bitrate", "192k"], "flac is lossless and has no bit rate"),
    (["-c:a", "aac", "--audio-bitrate", "192"], "--audio-bitrate takes 1000 to 20000000 bit/s, not 192."),
    (["-c:a", "aac", "--audio-bitrate", "fast"], "--audio-bitrate"), (["--downmix", "5.1"], "--downmix"),
    (["-c:a", "libx265"], "no encoder 'libx265' for this kind of stream"),
    (["-c:a", "pcm_s24le"], "mp4 cannot hold #1 audio flac as pcm_s24le: choose another encoder (aac)"),
  ])
  func refusals(_ options: [String], _ words: String) throws {
    let scratch = try Scratch()
    let input = try film(scratch, "in.mkv", ["0.3*sin(900*t)"], "mono")
    let result = try transcode(input, scratch.path("out.mp4"), options)
    #expect(result.status == 2, "\(result.messages)")
    #expect(result.messages.contains(words), "\(result.messages)")
    #expect(!scratch.contents.contains("out.mp4"))
  }
}
