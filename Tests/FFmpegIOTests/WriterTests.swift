import ColorScience
import FFmpegIO
import Foundation
internal import Media
import TestSupport
import Frames
import Testing

@Suite struct WriterTests {
  private static let size = Size(width: 128, height: 96)
  private static let ten = PixelLayout(.ycbcr420, bitDepth: 10)
  private static let hdr = HDRMetadata(
    masteringDisplay: MasteringDisplay(
      red: .init(x: 34_000, y: 16_000), green: .init(x: 13_250, y: 34_500), blue: .init(x: 7_500, y: 3_000),
      white: .init(x: 15_635, y: 16_450), maxLuminance: 10_000_000, minLuminance: 50),
    contentLight: ContentLight(maxCLL: 987, maxFALL: 321))

  private func settings(_ url: String, encoder: String? = nil) -> MediaWriter.Settings {
    MediaWriter.Settings(
      url: url, encoder: encoder, size: Self.size, layout: Self.ten, timeBase: Rational(1, 25),
      frameRate: Rational(25, 1), color: .bt2100PQ)
  }

  /// Writes frames of rising grey at the times that are given.
  @discardableResult
  private func write(
    _ settings: MediaWriter.Settings, times: [(Int64, Int64)] = (0..<8).map { ($0, 1) }
  ) throws -> MediaWriter {
    let writer = try MediaWriter(settings)
    for (index, time) in times.enumerated() {
      let frame = try writer.makeFrame(
        time: FrameTime(presentation: time.0, duration: time.1, timeBase: settings.timeBase))
      fill(frame, index)
      try writer.write(frame)
    }
    try writer.finish()
    return writer
  }

  private func fill(_ frame: CodedFrame, _ index: Int) {
    for plane in 0..<frame.layout.planeCount {
      let extent = frame.layout.planeSize(plane, of: frame.size)
      for y in 0..<extent.height {
        for x in 0..<extent.width { frame.setSample((x + y * 2 + index * 16) & 0xFF, plane: plane, x: x, y: y) }
      }
    }
  }

  /// What is there when a process is killed: a visible file, readable up to its last second, which is not taken for a whole one.
  @Test(arguments: [("mkv", "ffv1"), ("mp4", "libx264"), ("mov", "prores_ks"), ("mov", "libx264")])
  func aLiveFileIsReadableWhileItIsWritten(_ container: String, _ encoder: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("take.\(container)")
    var settings = settings10(path, encoder)
    settings.isLive = true
    if encoder == "libx264" { settings.encoderOptions = [("tune", "zerolatency")] }
    let writer = try MediaWriter(settings)
    for index in 0..<100 {
      let time = FrameTime(presentation: Int64(index), duration: 1, timeBase: settings.timeBase)
      let frame = try writer.makeFrame(time: time)
      fill(frame, index)
      try writer.write(frame)
    }
    #expect(scratch.contents == ["take.partial.\(container)"])
    let killed = scratch.path("killed.\(container)")
    try FileManager.default.copyItem(atPath: scratch.path("take.partial.\(container)"), toPath: killed)
    let packets = try #require(Probe(killed, ["-show_packets", "-select_streams", "v"]).packets)
    #expect((70...100).contains(packets.count), "\(packets.count)")
    try writer.finish()
    #expect(scratch.contents.sorted() == ["killed.\(container)", "take.\(container)"])
    let whole = try Probe(path, ["-show_packets", "-show_streams", "-select_streams", "v"])
    #expect(whole.packets?.count == 100 && whole.streams?.first?.color_transfer == "smpte2084")
    #expect(try MediaReader(url: path).info.duration.map { abs($0 - 4) < 0.05 } == true)
  }

  /// A take stays, whatever happens to its name.
  @Test func aLiveFileIsNeverRemoved() throws {
    let scratch = try Scratch()
    var settings = settings10(scratch.path("take.mkv"), "ffv1")
    (settings.isLive, settings.replacesFile) = (true, false)
    func open() throws -> MediaWriter {
      let writer = try MediaWriter(settings)
      for index in 0..<8 {
        let time = FrameTime(presentation: Int64(index), duration: 1, timeBase: settings.timeBase)
        try writer.write(writer.makeFrame(time: time))
      }
      return writer
    }
    var writer = try open()
    try Data("mine".utf8).write(to: scratch.folder.appendingPathComponent("take.mkv"))
    #expect(throws: FFmpegError.self) { try writer.finish() }
    writer.cancel()
    #expect(scratch.contents.sorted() == ["take.mkv", "take.partial.mkv"])
    writer = try open()
    writer.discard()
    writer.cancel()
    #expect(scratch.contents.sorted() == ["take.mkv", "take.partial-2.mkv", "take.partial.mkv"])
    // One without a frame leaves nothing.
    try MediaWriter(settings).cancel()
    #expect(scratch.contents.count == 3)
  }

  private func settings10(_ url: String, _ encoder: String) -> MediaWriter.Settings {
    var result = settings(url, encoder: encoder)
    if encoder == "libx265" { result.preset = "ultrafast" }
    if encoder == "libsvtav1" { result.preset = "12" }
    if encoder == "prores_ks" { result.layout = PixelLayout(.ycbcr422, bitDepth: 10) }
    result.metadata = Self.hdr
    return result
  }

  @Test(arguments: ["libx265", "libsvtav1", "libx264"], ["mp4", "mkv", "mov"])
  func staticMetadataComesBack(_ encoder: String, _ container: String) throws {
    guard !(encoder == "libsvtav1" && container == "mov") else { return }
    let scratch = try Scratch()
    let path = scratch.path("a.\(container)")
    try write(settings10(path, encoder))
    let probe = try Probe(path, ["-show_streams", "-show_frames", "-read_intervals", "%+#1"])
    let stream = try #require(probe.streams?.first)
    // FFmpeg 5.1 does not read these messages of H.264.
    if encoder != "libx264" {
      let list = try #require(probe.frames?.first?.side_data_list)
      let display = try #require(list.first("Mastering display metadata"))
      #expect(fraction(display.max_luminance) == 1000)
      #expect(abs(fraction(display.min_luminance) - 0.005) < 0.0001)
      #expect(abs(fraction(display.red_x) - 0.68) < 0.0001)
      #expect(list.first("Content light level metadata")?.max_content == 987)
    }
    #expect(stream.color_transfer == "smpte2084")
    #expect(stream.color_primaries == "bt2020")
    #expect(stream.color_space == "bt2020nc")
    #expect(stream.color_range == "tv")
    #expect(stream.chroma_location == "topleft")
    if encoder == "libx265", container != "mkv" { #expect(stream.codec_tag_string == "hvc1") }
    let container = try #require(stream.side_data_list)
    #expect(container.first("Mastering display metadata") != nil)
    #expect(container.first("Content light level metadata")?.max_average == 321)
    let reader = try MediaReader(url: path)
    let found = try #require(try reader.readFrame()).metadata
    #expect(found.contentLight == Self.hdr.contentLight)
    #expect(found.masteringDisplay?.maxLuminance == 10_000_000)
    if encoder != "libsvtav1" { #expect(found.masteringDisplay == Self.hdr.masteringDisplay) }
  }

  private func fraction(_ text: String?) -> Double {
    let parts = (text ?? "").split(separator: "/").compactMap { Double($0) }
    return parts.count == 2 ? parts[0] / parts[1] : .nan
  }

  @Test(arguments: [("ffv1", "mkv"), ("prores_ks", "mov")])
  func containersCarryMetadataByThemselves(_ encoder: String, _ container: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("a.\(container)")
    try write(settings10(path, encoder))
    let reader = try MediaReader(url: path)
    #expect(reader.video.metadata.masteringDisplay == Self.hdr.masteringDisplay)
    #expect(reader.video.metadata.contentLight == Self.hdr.contentLight)
    #expect(reader.video.color.transfer == .pq)
    #expect(reader.video.color.primaries == .bt2020)
    #expect(reader.video.color.matrix == .bt2020NCL)
  }

  @Test(arguments: ["mkv", "mp4", "nut", "mov"])
  func variableTimesAreKept(_ container: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("a.\(container)")
    var settings = settings10(path, container == "nut" ? "ffv1" : "libx265")
    settings.timeBase = Rational(1, 1000)
    // MP4 states durations in decoding order: only without reordering are they those of the pictures.
    if container != "nut" { settings.encoderOptions = [("bframes", "0")] }
    let times: [(Int64, Int64)] = [(0, 40), (40, 17), (57, 100), (157, 3), (160, 500), (660, 250)]
    try write(settings, times: times)
    let reader = try MediaReader(url: path)
    var seconds: [Double] = []
    var last = 0.0
    while let frame = try reader.readFrame() {
      seconds.append((frame.time.seconds * 1000).rounded())
      last = Double(frame.time.duration) * frame.time.timeBase.value
    }
    #expect(seconds == times.map { Double($0.0) })
    if container == "mp4" || container == "mov" { #expect(abs(last - 0.25) < 0.001) }
    if container != "nut" { #expect(abs((reader.info.duration ?? 0) - 0.91) < 0.001) }
  }

  @Test func framesWithEqualTimesAreAllKept() throws {
    let scratch = try Scratch()
    var settings = settings10(scratch.path("a.mp4"), "libx265")
    settings.timeBase = Rational(1, 1000)
    let writer = try write(settings, times: [(0, 40), (40, 40), (40, 40), (30, 40), (120, 40)])
    #expect(writer.movedFrames == 2)
    let reader = try MediaReader(url: settings.url)
    var count = 0
    while try reader.readFrame() != nil { count += 1 }
    #expect(count == 5)
  }

  @Test func hashesAreThoseOfFFmpegWhateverTheThreads() throws {
    let scratch = try Scratch()
    let source = try scratch.clip("a.mkv", frames: 12, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"])
    let expected = try Tool.ffmpeg.run(["-i", source, "-f", "framemd5", "-bitexact", "-"])
    for threads in [1, 3] {
      let reader = try MediaReader(url: source, threads: threads)
      var settings = settings(scratch.path("\(threads).md5"))
      settings.format = "framemd5"
      settings.threads = threads
      let writer = try MediaWriter(settings)
      #expect(writer.encoderName == "rawvideo")
      while let frame = try reader.readFrame() { try writer.write(frame) }
      try writer.finish()
      let hashes = try Data(contentsOf: URL(fileURLWithPath: settings.url))
      #expect(lines(hashes) == lines(expected))
    }
  }

  private func lines(_ data: Data) -> [Substring] {
    String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  @Test(arguments: [
    PixelLayout(.ycbcr420, bitDepth: 8), PixelLayout(.ycbcr420, bitDepth: 10), PixelLayout(.ycbcr422, bitDepth: 12),
    PixelLayout(.ycbcr444, bitDepth: 10),
  ])
  func y4mKeepsEverySample(_ layout: PixelLayout) throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.y4m"))
    settings.layout = layout
    try write(settings)
    let frame = try #require(try MediaReader(url: settings.url).readFrame())
    let expected = CodedFrame(size: Self.size, layout: layout, color: .bt2100PQ)
    fill(expected, 0)
    #expect(frame.layout == layout)
    for plane in 0..<3 {
      #expect(frame.sample(plane: plane, x: 17, y: 23) == expected.sample(plane: plane, x: 17, y: 23))
    }
  }

  @Test func turnAndSampleShapeAreCarried() throws {
    let scratch = try Scratch()
    var settings = settings10(scratch.path("a.mp4"), "libx265")
    settings.displayMatrix = DisplayMatrix(counterclockwise: -90)
    settings.sampleAspectRatio = Rational(4, 3)
    try write(settings)
    let video = try MediaReader(url: settings.url).video
    #expect(video.rotation == -90)
    #expect(video.sampleAspectRatio == Rational(4, 3))
  }

  @Test func memoryOfFramesIsUsedAgain() throws {
    let writer = try MediaWriter(
      {
        var s = settings("-"); s.format = "null"; return s
      }())
    let time = FrameTime(presentation: 0, duration: 1, timeBase: Rational(1, 25))
    var addresses: Set<UInt> = []
    for index in 0..<20 {
      let frame = try writer.makeFrame(
        time: FrameTime(presentation: Int64(index), duration: 1, timeBase: time.timeBase))
      let address = unsafe frame.withPlane(0) { unsafe UInt(bitPattern: $0.base) }
      #expect(address % 64 == 0)
      addresses.insert(address)
      try writer.write(frame)
    }
    try writer.finish()
    #expect(addresses.count <= 2)
  }

  @Test func framesOfOthersAreCopied() throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.nut"), encoder: "rawvideo")
    settings.layout = PixelLayout(.ycbcr420, bitDepth: 10)
    let writer = try MediaWriter(settings)
    let frame = CodedFrame(size: Self.size, layout: Self.ten, color: .bt2100PQ)
    fill(frame, 3)
    try writer.write(frame)
    try writer.finish()
    #expect(writer.bytesWritten > 0)
    let read = try #require(try MediaReader(url: settings.url).readFrame())
    #expect(read.sample(plane: 2, x: 5, y: 7) == frame.sample(plane: 2, x: 5, y: 7))
  }

  /// A stream that a container takes and does not give back: the pictures are kept, and what is missing has a name.
  @Test func aFilmStaysWithoutWhatLiesBesideIt() throws {
    let scratch = try Scratch()
    let source = scratch.path("in.mkv")
    try Tool.ffmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=1", "-f", "lavfi", "-i", "sine=440:duration=1",
      "-c:v",
      "ffv1", "-c:a", "eac3", "-y", source,
    ])
    let reader = try MediaReader(url: source)
    let sound = try #require(try reader.streamCopy(1))
    // Without this test's word for it, it would not be there.
    #expect(try !MediaWriter.holds(sound, url: "a.nut"))
    try reader.pass([sound.index])
    var settings = settings(scratch.path("a.nut"), encoder: "ffv1")
    settings.streams = [.frames, .copy(sound)]
    let writer = try MediaWriter(settings)
    try writer.write(writer.makeFrame(time: FrameTime(presentation: 0, duration: 1, timeBase: Rational(1, 25))))
    while let item = try reader.read() {
      if let batch = item.passing as? PacketBatch { try writer.pass(batch) }
    }
    let error = try #require(try writer.finish().failure)
    #expect(error as? FFmpegError == .incomplete(path: settings.url, what: ["an audio stream of eac3"]))
    #expect(error.description.contains("is kept"))
    #expect(try MediaReader(url: settings.url).readFrame() != nil)
    #expect(Set(scratch.contents) == ["in.mkv", "a.nut"])
  }

  /// Metadata that has no place is known before the first frame.
  @Test func whatHasNoPlaceIsRefusedAtOnce() throws {
    let scratch = try Scratch()
    var settings = settings(scratch.path("a.nut"), encoder: "ffv1")
    settings.metadata = Self.hdr
    settings.insistsOnMetadata = true
    let error = #expect(throws: FFmpegError.self) { try MediaWriter(settings) }
    #expect(error?.description.contains("mastering display") == true)
    #expect(scratch.contents.isEmpty)
  }

  private struct Foreign: PassingData {}

  @Test func nothingIsLeftOfACancelledFile() throws {
    let scratch = try Scratch()
    let target = scratch.path("a.mp4")
    do {
      let writer = try MediaWriter(settings10(target, "libx265"))
      try writer.write(writer.makeFrame(time: FrameTime(presentation: 0, duration: 1, timeBase: Rational(1, 25))))
      #expect(scratch.contents.count == 1)
      #expect(throws: FFmpegError.unknownData(path: target)) { try writer.pass(Foreign()) }
      #expect(!FileManager.default.fileExists(atPath: target))
      writer.cancel()
      #expect(scratch.contents.isEmpty)
      #expect(throws: FFmpegError.closed(path: target)) { try writer.finish() }
      _ = try MediaWriter(settings10(target, "libx265"))
    }
    #expect(scratch.contents.isEmpty)
  }
}
