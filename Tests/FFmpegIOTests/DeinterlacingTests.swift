import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Pictures that are deinterlaced while they are read.
@Suite struct DeinterlacingTests {
  /// Moving bars whose rows are those of two moments.
  /// - Parameter arguments: The format and the encoder.
  private func interlaced(
    _ scratch: Scratch, as name: String = "a.mkv", topFirst: Bool = true, frames: Int = 4, _ arguments: [String]
  ) throws -> String {
    let scan = topFirst ? "tff" : "bff"
    return try scratch.clip(
      name, size: "96x64", rate: 50, frames: frames,
      ["-vf", "format=\(arguments[0]),interlace=scan=\(scan):lowpass=off"] + arguments.dropFirst())
  }

  private func samples(_ frame: CodedFrame) -> [Int] {
    (0..<frame.layout.planeCount).flatMap { plane in
      let extent = frame.layout.planeSize(plane, of: frame.size)
      return (0..<extent.height).flatMap { y in (0..<extent.width).map { frame.sample(plane: plane, x: $0, y: y) } }
    }
  }

  private func reader(_ path: String, _ mode: Deinterlacing?) throws -> MediaReader {
    let reader = try MediaReader(url: path)
    reader.prepare(PicturePreparation(deinterlacing: mode))
    return reader
  }

  private func frames(_ reader: MediaReader) throws -> [CodedFrame] {
    var frames: [CodedFrame] = []
    while let frame = try reader.readFrame() { frames.append(frame) }
    return frames
  }

  static let formats = ["yuv420p10le", "yuv422p10le", "yuv444p12le", "yuv420p", "nv12"]

  @Test(arguments: formats, Deinterlacing.allCases)
  func equalsFFmpegsFilter(_ format: String, _ mode: Deinterlacing) throws {
    let scratch = try Scratch()
    let topFirst = format != "yuv422p10le"
    // FFmpeg has no lossless encoder for NV12 but raw video, whose flags a NUT file does not carry.
    let planar = format == "nv12" ? "yuv420p" : format
    let path = try interlaced(scratch, topFirst: topFirst, [planar, "-c:v", "ffv1"])
    let raw = try Tool.ffmpeg.run([
      "-i", path, "-vf", "bwdif=mode=send_\(mode.rawValue):deint=interlaced", "-f", "rawvideo", "-",
    ])
    let found = try frames(reader(path, mode))
    #expect(found.count == 4 * mode.framesPerPicture)
    #expect(found.allSatisfy { $0.fieldOrder == nil })
    let expected = planar.hasSuffix("le") ? raw.words.map(Int.init) : raw.map(Int.init)
    #expect(found.flatMap(samples) == expected)
  }

  @Test func fieldsAreHalfAPictureApart() throws {
    let scratch = try Scratch()
    let path = try interlaced(scratch, ["yuv420p10le", "-c:v", "ffv1"])
    let reader = try reader(path, .field)
    let times = try frames(reader).map(\.time)
    #expect(reader.video.frameRate?.value == 50 && reader.video.timeBase == Rational(1, 2000))
    #expect(times.map(\.presentation) == [0, 40, 80, 120, 160, 200, 240, 280])
    #expect(times.allSatisfy { $0.duration == 40 && $0.timeBase == Rational(1, 2000) })
    #expect(reader.statistics.deinterlacedPictures == 4 && reader.statistics.interlacedFrames == 0)
    #expect(try frames(self.reader(path, .frame)).map(\.time.presentation) == [0, 40, 80, 120])
  }

  @Test(arguments: Deinterlacing.allCases)
  func progressivePicturesStayAsTheyAre(_ mode: Deinterlacing) throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.mkv", frames: 4, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"])
    let (plain, found) = try (frames(reader(path, nil)), frames(reader(path, mode)))
    #expect(found.map(samples) == plain.map(samples))
    #expect(found.map(\.time.seconds) == plain.map(\.time.seconds))
  }

  /// Interlaced after progressive pictures, and the other way round: a seek finds the frames that reading does.
  @Test(arguments: Deinterlacing.allCases)
  func seekingFindsTheSameFrames(_ mode: Deinterlacing) throws {
    let scratch = try Scratch()
    let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-pix_fmt", "yuv420p"]
    let parts = try [
      scratch.clip("0.ts", size: "96x64", frames: 8, coding),
      interlaced(scratch, as: "1.ts", frames: 16, ["yuv420p", "-flags", "+ildct+ilme", "-g", "6"] + coding),
      scratch.clip("2.ts", size: "96x64", frames: 8, coding),
    ]
    let list = scratch.path("list.txt")
    try parts.map { "file '\($0)'\n" }.joined().write(toFile: list, atomically: true, encoding: .utf8)
    let path = scratch.path("a.mkv")
    try Tool.ffmpeg.run(["-f", "concat", "-safe", "0", "-i", list, "-c", "copy", path])
    let all = try frames(reader(path, mode))
    #expect(all.count == 16 + 16 * mode.framesPerPicture)
    for (index, frame) in all.enumerated() {
      let reader = try reader(path, mode)
      try reader.seek(to: frame.time.presentation)
      for expected in all[index...].prefix(3) {
        let found = try #require(try reader.readFrame())
        #expect(found.time == expected.time && found.contentHash == expected.contentHash, "\(index)")
      }
    }
  }

  @Test func metadataStaysWithItsPicture() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.mkv")
    var settings = MediaWriter.Settings(
      url: path, encoder: "ffv1", size: Size(width: 96, height: 64), layout: PixelLayout(.ycbcr420, bitDepth: 10),
      timeBase: Rational(1, 25), frameRate: Rational(25, 1), color: .bt2100PQ)
    settings.fieldOrder = .topFirst
    settings.metadata.contentLight = ContentLight(maxCLL: 1000, maxFALL: 400)
    let writer = try MediaWriter(settings)
    for index in 0..<4 {
      let time = FrameTime(presentation: Int64(index), duration: 1, timeBase: settings.timeBase)
      try writer.write(writer.makeFrame(time: time, fieldOrder: .topFirst))
    }
    try writer.finish()
    let (plain, found) = try (frames(reader(path, nil)), frames(reader(path, .field)))
    #expect(plain[0].metadata.contentLight?.maxCLL == 1000)
    for (index, frame) in found.enumerated() {
      #expect(frame.metadata == plain[index / 2].metadata && frame.color == plain[0].color)
    }
  }

  @Test func packetsOfOtherStreamsAreAllThere() throws {
    let scratch = try Scratch()
    let path = scratch.path("b.mkv")
    let pictures = try interlaced(scratch, ["yuv420p", "-c:v", "ffv1"])
    try Tool.ffmpeg.run([
      "-i", pictures, "-f", "lavfi", "-i", "sine=duration=0.4", "-c:v", "copy", "-c:a", "flac", path,
    ])
    func count(_ mode: Deinterlacing?) throws -> Int {
      let reader = try reader(path, mode)
      try reader.pass([1])
      var count = 0
      while let item = try reader.read() {
        #expect(item.frame != nil || item.passing != nil)
        count += (item.passing as? PacketBatch)?.packets.count ?? 0
      }
      return count
    }
    #expect(try count(.field) == count(nil) && count(nil) > 0)
  }

  @Test func unsuitableSamplesAreRefused() throws {
    let scratch = try Scratch()
    let path = try scratch.clip("a.mkv", frames: 2, ["-pix_fmt", "gray10le", "-c:v", "ffv1"])
    #expect(throws: FFmpegError.cannotDeinterlace(name: "gray10le", Size(width: 128, height: 96), path: path)) {
      _ = try self.reader(path, .frame).readFrame()
    }
  }
}
