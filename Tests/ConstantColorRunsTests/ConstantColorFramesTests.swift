import ColorScience
import ConstantColor
import ConstantColorRuns
import Foundation
import Frames
import Media
import Rendering
import Sessions
import SessionsTestSupport
import TestSupport
import Testing

/// Pairs of frames from clips.
@Suite struct ConstantColorFramesTests {
  private let scratch: Scratch
  private let pool = WorkerPool(count: 2)

  init() throws { scratch = try Scratch() }

  private static let size = Size(width: 160, height: 96)

  /// Light of the scene at a pixel, in the light of the room alone and in that of the flash too.
  private static func light(_ x: Int, _ y: Int, isLit: Bool) -> Double {
    let surface = 0.15 + 0.6 * Double((x / 20 * 7 + y / 16 * 5) % 8) / 8
    let flash = 0.5 / (1 + Double((x - 80) * (x - 80) + (y - 48) * (y - 48)) / 8000)
    return surface * (0.12 + (isLit ? flash : 0))
  }

  /// The options of ffmpeg for a clip in a transfer function.
  private static func tags(_ transfer: TransferCharacteristics) -> [String] {
    let name =
      [TransferCharacteristics.pq: "smpte2084", .hlg: "arib-std-b67", .sRGB: "iec61966-2-1"][transfer] ?? "bt709"
    let isWide = transfer == .pq || transfer == .hlg
    return [
      "-color_trc", name, "-color_primaries", isWide ? "bt2020" : "bt709", "-colorspace", isWide ? "bt2020nc" : "bt709",
      "-color_range", "tv",
    ]
  }

  /// A clip of the scene in grey, as 4:2:0 of ten bits.
  /// - Parameter peak: The light of signal 1, in units of the scene's.
  private func clip(
    _ name: String = "clip.mkv", _ transfer: TransferCharacteristics = .bt709, frames: Int = 12, lit: ClosedRange<Int>,
    peak: Double = 1, _ arguments: [String] = ["-c:v", "ffv1"]
  ) throws -> String {
    let curve = try #require(CodingCurve(transfer))
    let scale = SampleScale(bitDepth: 10, range: .narrow)
    let chroma = [UInt16](repeating: 512, count: Self.size.width * Self.size.height / 2)
    var data = Data()
    for frame in 0..<frames {
      var words: [UInt16] = []
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width {
          let light = Self.light(x, y, isLit: lit.contains(frame)) / peak
          words.append(UInt16(scale.code(fromLuma: curve.signal(fromLight: light))))
        }
      }
      data.append(contentsOf: (words + chroma).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    }
    let raw = try scratch.file("raw.yuv", data)
    let input = ["-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "160x96", "-r", "25", "-i", raw]
    _ = try Tool.ffmpeg.run(input + arguments + Self.tags(transfer) + ["-y", scratch.path(name)])
    return scratch.path(name)
  }

  private func frames(_ path: String, _ choice: FlashFrameChoice = .automatic) throws -> FlashFrames {
    try Session().flashFrames(of: InputRequest(path), choice)
  }

  @Test(arguments: [TransferCharacteristics.bt709, .sRGB, .hlg, .pq]) func aFlashIsFound(
    transfer: TransferCharacteristics
  ) throws {
    // 1 of the scene is 1000 cd/m² in PQ.
    let peak = transfer == .pq ? 10.0 : 1
    let found = try frames(try clip("clip.mkv", transfer, lit: 6...6, peak: peak))
    #expect(found.pair.ambient == 5 && found.pair.flash == 6 && found.pair.reason == .flash)
    #expect(found.source.color.transfer == transfer && found.setting?.exposure == nil)
    let images = try found.sceneImages(pool: pool)
    for (x, y) in [(80, 48), (10, 10), (150, 80), (70, 24)] {
      for channel in 0..<3 {
        let ambient = Double(images.ambient[channel, x, y]) * peak
        let flash = Double(images.flash[channel, x, y]) * peak
        #expect(abs(ambient / Self.light(x, y, isLit: false) - 1) < 0.03)
        #expect(abs(flash / Self.light(x, y, isLit: true) - 1) < 0.03)
      }
    }
  }

  @Test func twoFramesAreEnough() throws {
    let found = try frames(try clip(frames: 2, lit: 1...1))
    #expect(found.pair.ambient == 0 && found.pair.flash == 1 && found.pair.contrast == nil)
  }

  @Test func aLampIsFound() throws {
    let found = try frames(try clip(frames: 20, lit: 0...9))
    #expect(found.pair.flash == 9 && found.pair.ambient == 10 && found.pair.reason == .switchedOff)
  }

  @Test func withoutAFlashThereIsNoPair() throws {
    let path = try clip(lit: 40...40)
    expectRefusal("flash-not-found", "12 frames of '\(path)'", "flashFrames A,F", kind: .failed) { _ in
      try frames(path)
    }
  }

  @Test func framesAreTakenByTheirNumbers() throws {
    let path = try clip(lit: 6...6)
    let found = try frames(path, .numbered(ambient: 9, flash: 2))
    #expect(found.pair == FlashPair(ambient: 9, flash: 2, reason: .stated))
    #expect(abs(found.ambient.time.seconds - 0.36) < 1e-3 && abs(found.flash.time.seconds - 0.08) < 1e-3)
    expectRefusal("no-such-frame", "'\(path)' has no frame 12", kind: .failed) { _ in
      try frames(path, .numbered(ambient: 0, flash: 12))
    }
  }

  /// The tags change at the second piece: one of the flashes is at the border.
  @Test func formatsMayChange() throws {
    let coding = [
      "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:crf=4:bframes=0", "-f", "hevc",
    ]
    let parts = [
      try clip("first.hevc", .bt709, frames: 5, lit: 4...4, coding),
      try clip("second.hevc", .hlg, frames: 8, lit: 5...5, coding),
    ]
    let joined = try scratch.file("joined.hevc", try parts.reduce(Data()) { try $0 + scratch.bytes($1) })
    let found = try frames(joined)
    // Both are found; neither pair has a frame of each.
    #expect([4, 10].contains(found.pair.flash) && found.ambient.format == found.flash.format)
    #expect(found.source.color.transfer == (found.pair.flash == 4 ? .bt709 : .hlg))
    expectRefusal("pair-formats-differ", "Frames 2 and 10 of '\(joined)'", kind: .failed) { _ in
      try frames(joined, .numbered(ambient: 2, flash: 10))
    }
  }

  @Test func picturesAreUpright() throws {
    let flat = try clip(
      "flat.mp4", lit: 6...6, ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:crf=4"])
    let one: Int32 = 1 << 16
    let found = try frames(try scratch.turned(flat, "turned.mp4", 0, one, -one, 0))
    try #require(found.orientation.swapsAxes)
    let images = try found.sceneImages(pool: pool)
    #expect(images.flash.size == Size(width: 96, height: 160))
    let place = found.orientation.source(x: 20, y: 30, in: Self.size)
    #expect(abs(Double(images.flash[1, 20, 30]) / Self.light(place.x, place.y, isLit: true) - 1) < 0.1)
  }

  /// The flash frame is damaged: it is not chosen, and refused by its number.
  @Test func damagedFramesAreNotChosen() throws {
    let path = try clip(
      "clip.mkv", lit: 6...6, ["-c:v", "ffv1", "-g", "1", "-level", "3", "-slicecrc", "1", "-slices", "4"])
    let whole = try frames(path)
    let packets = try Tool.ffprobe.run([
      "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path,
    ])
    let fields = String(decoding: packets, as: UTF8.self).split(separator: "\n")[whole.pair.flash].split(separator: ",")
    let (length, place) = (try #require(Int(fields[0])), try #require(Int(fields[1])))
    var data = try scratch.bytes(path)
    for offset in stride(from: length / 2, to: length / 2 + 40, by: 3) { data[place + offset] ^= 0x55 }
    let broken = try scratch.file("broken.mkv", data)
    expectRefusal("frame-damaged", "Frame 6 of '\(broken)'", kind: .failed) { _ in
      try frames(broken, .numbered(ambient: 5, flash: 6))
    }
    expectRefusal("flash-not-found", "12 frames of '\(broken)'", kind: .failed) { _ in try frames(broken) }
  }
}
