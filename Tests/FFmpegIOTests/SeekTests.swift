import FFmpegIO
import Foundation
import Frames
internal import Media
import TestSupport
import Testing

/// A cut gives the same frames and metadata as decoding the whole file, wherever it begins.
@Suite struct SeekTests {
  /// A frame in short: when it is shown, its samples, its metadata.
  private struct Seen: Hashable {
    let time: Int64
    let samples: Int
    let metadata: HDRMetadata
    let isDamaged: Bool

    init(_ frame: CodedFrame) {
      time = frame.time.presentation
      metadata = frame.metadata
      isDamaged = frame.isDamaged
      var hasher = Hasher()
      for plane in 0..<frame.layout.planeCount {
        unsafe frame.withPlane(plane) { view in
          for y in 0..<(unsafe view.size.height) {
            let count = unsafe view.size.width * frame.layout.bytesPerSample
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: view.row(y), count: count))
          }
        }
      }
      samples = hasher.finalize()
    }
  }

  private func frames(_ reader: MediaReader, atMost limit: Int = .max) throws -> [Seen] {
    var result: [Seen] = []
    while result.count < limit, let frame = try reader.readFrame() { result.append(Seen(frame)) }
    return result
  }

  /// - Parameter seconds: From the start of the file.
  private func expectCut(_ path: String, whole: [Seen], at seconds: Double, frames limit: Int = 12) throws {
    let reader = try MediaReader(url: path)
    try reader.seek(toSeconds: seconds)
    let cut = try frames(reader, atMost: limit)
    let start = seconds + (reader.info.startTime ?? 0)
    let wanted = whole.filter { Double($0.time) * reader.video.timeBase.value > start - 1e-9 }.prefix(limit)
    #expect(cut == Array(wanted), "\(path) at \(seconds)")
    #expect(reader.statistics.damagedFrames == 0 && reader.statistics.decodeErrors == 0, "\(path) at \(seconds)")
  }

  /// How a film is coded.
  struct Coding: Sendable, CustomStringConvertible {
    let name: String
    let arguments: [String]
    var description: String { name }

    static func x265(_ name: String, _ parameters: String) -> Coding {
      let light = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400"
      return Coding(
        name: name,
        arguments: [
          "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
          "log-level=none:bframes=4:b-adapt=1:hdr10=1:repeat-headers=1:\(light):\(parameters)",
        ])
    }

    static func x264(_ name: String, _ parameters: String) -> Coding {
      Coding(name: name, arguments: ["-c:v", "libx264", "-preset", "veryfast", "-x264-params", parameters])
    }

    static let short = [
      x265("closed.ts", "open-gop=0:keyint=50:min-keyint=50:scenecut=0"),
      x265("open.ts", "open-gop=1:keyint=125:min-keyint=125:scenecut=0"),
    ]
    static let all =
      short + [
        x265("open250.mkv", "open-gop=1:keyint=250"), x265("closed24.mp4", "open-gop=0:keyint=24"),
        x265("open60.mp4", "open-gop=1:keyint=60:min-keyint=60:scenecut=0"),
        x264("open250.ts", "open-gop=1:keyint=250:scenecut=0"), x264("closed48.mkv", "open-gop=0:keyint=48"),
        x264("open100.mp4", "open-gop=1:keyint=100:b-pyramid=normal"), x264("refresh.ts", "intra-refresh=1:keyint=60"),
        Coding(name: "av1.mkv", arguments: ["-c:v", "libsvtav1", "-preset", "12", "-g", "120"]),
        Coding(name: "av1.mp4", arguments: ["-c:v", "libsvtav1", "-preset", "12", "-g", "61"]),
        Coding(
          name: "vp9.mkv",
          arguments: [
            "-c:v", "libvpx-vp9", "-profile:v", "2", "-deadline", "realtime", "-cpu-used", "8", "-g", "128",
            "-auto-alt-ref", "1", "-lag-in-frames", "16", "-b:v", "500k",
          ]),
        Coding(name: "mpeg2.ts", arguments: ["-pix_fmt", "yuv420p", "-c:v", "mpeg2video", "-bf", "2", "-g", "30"]),
      ]

    /// The film, with audio.
    func make(_ scratch: Scratch, seconds: Int, from clip: Clip?) throws -> String {
      let source =
        clip.map { ["-stream_loop", "1", "-i", $0.path] } ?? ["-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25"]
      let tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
      try Tool.ffmpeg.run(
        source + ["-f", "lavfi", "-i", "sine=440", "-map", "0:v", "-map", "1:a", "-t", "\(seconds)", "-c:a", "aac"]
          + tags + ["-pix_fmt", "yuv420p10le"] + arguments + ["-y", scratch.path(name)])
      return scratch.path(name)
    }
  }

  /// Transport streams have no index: a seek lands anywhere.
  @Test(arguments: Coding.short)
  func cutsOfTransportStreams(_ coding: Coding) throws {
    let scratch = try Scratch()
    let path = try coding.make(scratch, seconds: 12, from: nil)
    let whole = try frames(MediaReader(url: path))
    #expect(whole.count == 300 && whole.allSatisfy { $0.metadata.masteringDisplay != nil })
    for start in [0, 0.5, 1.9, 3, 3.9, 7, 10.5] { try expectCut(path, whole: whole, at: start) }
  }

  /// Instructions to drop references from before the access point are not damage.
  @Test func referencesThatNeverWereAreNoDamage() throws {
    let scratch = try Scratch()
    let coding = Coding.x264("open.mkv", "open-gop=1:keyint=20:min-keyint=20:bframes=4:b-pyramid=normal")
    let path = try coding.make(scratch, seconds: 4, from: nil)
    let whole = try frames(MediaReader(url: path))
    for start in stride(from: 0.08, to: 3.8, by: 0.12) { try expectCut(path, whole: whole, at: start, frames: 4) }
  }

  /// A seek counts the frames it delivers, not those it tried on the way.
  @Test func aDamagedFrameIsCountedOnce() throws {
    let scratch = try Scratch()
    let coding = Coding.x264("in.ts", "keyint=10:min-keyint=10:scenecut=0")
    let path = try coding.make(scratch, seconds: 4, from: nil)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    // Packets of pictures in the middle are overwritten, the first ones of a picture left out.
    let starts = stride(from: data.count / 188 / 2 * 188, to: data.count - 188, by: 188)
    let pictures = starts.filter { data[$0 + 1] & 0x5F == 1 && data[$0 + 2] == 0 }
    for start in pictures.prefix(3) { for byte in 40..<188 { data[start + byte] = 0x5A } }
    try data.write(to: URL(fileURLWithPath: path))
    let seen = try frames(MediaReader(url: path))
    let damaged = try #require(seen.first { $0.isDamaged })
    let reader = try MediaReader(url: path)
    try reader.seek(
      toSeconds: Double(damaged.time) * reader.video.timeBase.value - (reader.info.startTime ?? 0) - 0.001)
    let first = try #require(try reader.readFrame())
    #expect(first.time.presentation == damaged.time && first.isDamaged)
    #expect(reader.statistics.frames == 1 && reader.statistics.damagedFrames == 1)
  }

  /// Two hundred cuts and more, with times drawn at random.
  @Test(.enabled(if: LongTests.areWanted), arguments: Coding.all)
  func randomCuts(_ coding: Coding) throws {
    let scratch = try Scratch()
    let clip = Clip.all.first { $0.file.hasPrefix("hdr10_nasa") }
    let path = try coding.make(scratch, seconds: 20, from: clip)
    let whole = try frames(MediaReader(url: path))
    #expect(whole.count == 500)
    var random = Xorshift(seed: UInt64(coding.name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
    for _ in 0..<17 {
      let start = (Double.random(in: 0..<19.9, using: &random) * 1000).rounded() / 1000
      try expectCut(path, whole: whole, at: start, frames: Int.random(in: 1...40, using: &random))
    }
  }

  /// Two recordings in one file: the same time comes twice, and the second is meant by what lies behind the first.
  @Test func cutsOfJoinedRecordings() throws {
    let scratch = try Scratch()
    let parts = try ["testsrc2", "testsrc"].enumerated().map { index, source in
      let path = scratch.path("\(index).ts")
      try Tool.ffmpeg.run(
        [
          "-f", "lavfi", "-i", "\(source)=size=192x108:rate=25:d=12", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-y",
          path,
        ])
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    let path = scratch.path("joined.ts")
    try (parts[0] + parts[1]).write(to: URL(fileURLWithPath: path))
    let whole = try frames(MediaReader(url: path))
    #expect(whole.count == 600)
    for start in [5.0, 11, 13, 20] { try expectCut(path, whole: whole, at: start) }
  }

  /// Metadata that only the first picture carries holds for the groups of pictures that go on with its sequence.
  @Test func metadataOfTheSequence() throws {
    let scratch = try Scratch()
    let path = try Coding.x265("open.mkv", "open-gop=1:keyint=50:min-keyint=50:scenecut=0")
      .make(scratch, seconds: 8, from: nil)
    // Prefix SEI with MDCV (137) or content light (144) becomes a NAL unit of a reserved type, but for the first.
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    for payload in [137, 144] as [UInt8] {
      var place = data.startIndex, count = 0
      while let found = data.range(of: Data([39 << 1, 1, payload]), in: place..<data.endIndex) {
        if count > 0 { data[found.lowerBound] = 41 << 1 }
        count += 1
        place = found.upperBound
      }
      #expect(count >= 4)
    }
    try data.write(to: URL(fileURLWithPath: path))
    let whole = try frames(MediaReader(url: path))
    #expect(whole.allSatisfy { $0.metadata.masteringDisplay != nil && $0.metadata.contentLight != nil })
    for start in [1.0, 3.2, 6.5] { try expectCut(path, whole: whole, at: start) }
  }

  /// A reader that has read on goes back, and forward, all the same.
  @Test func seeksInARow() throws {
    let scratch = try Scratch()
    let path = try Coding.short[1].make(scratch, seconds: 12, from: nil)
    let whole = try frames(MediaReader(url: path))
    let reader = try MediaReader(url: path)
    _ = try frames(reader, atMost: 30)
    for seconds in [9.0, 2, 6, 0] {
      try reader.seek(toSeconds: seconds)
      let start = seconds + (reader.info.startTime ?? 0)
      let wanted = whole.filter { Double($0.time) * reader.video.timeBase.value > start - 1e-9 }.prefix(5)
      #expect(try frames(reader, atMost: 5) == Array(wanted), "at \(seconds)")
    }
  }

  /// What decoders only log is damage: packets between others are lost, and pictures refer to them.
  @Test(arguments: ["libx265", "libx264"])
  func missingReferencesAreDamage(_ encoder: String) throws {
    let scratch = try Scratch()
    let path = try scratch.clip(
      "whole.mp4", size: "192x108", frames: 60, ["-pix_fmt", "yuv420p", "-c:v", encoder, "-g", "60", "-preset", "fast"])
    #expect(try MediaReader(url: path).statistics.damagedFrames == 0)
    let cut = scratch.path("lost.mp4")
    try Tool.ffmpeg.run(["-i", path, "-c", "copy", "-bsf:v", "noise=drop=eq(mod(n\\,7)\\,3):amount=0", "-y", cut])
    let reader = try MediaReader(url: cut)
    let kept = try frames(reader)
    #expect(kept.count < 60)
    #expect(reader.statistics.damagedFrames > 0)
    #expect(reader.statistics.damagedFrames == kept.count(where: \.isDamaged))
  }
}
