import Bitstreams
import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// A short stream of segments, for tests: a ramp that moves.
struct SegmentFilm {
  var settings: SegmentEncoder.Settings
  /// Presentation times in microseconds.
  var times: [Int64]
  /// Numbers of frames that are asked to be key frames.
  var keys: Set<Int> = []
  /// Unix time of stream time 0.
  static let start = 1_800_000_000.25

  init(_ codec: StreamCodec, bits: Int = 8, size: Size = Size(width: 64, height: 48), frames: Int = 6) {
    settings = SegmentEncoder.Settings(
      codec: codec, size: size, layout: PixelLayout(.ycbcr420, bitDepth: bits),
      color: bits == 10 ? .bt2100PQ : .bt709, frameRate: Rational(25, 1))
    settings.threads = 1
    times = (0..<Int64(frames)).map { $0 * 40_000 }
  }

  /// Code value of a sample.
  func value(_ frame: Int, plane: Int, x: Int, y: Int) -> Int {
    let eightBits = plane == 0 ? 40 + (2 * x + y + 6 * frame) % 160 : 118 + 5 * plane
    return eightBits << (settings.layout.bitDepth - 8)
  }

  func frame(_ index: Int) -> CodedFrame {
    let frame = CodedFrame(
      size: settings.size, layout: settings.layout, color: settings.color,
      time: FrameTime(presentation: times[index], duration: 0, timeBase: Rational(1, 1_000_000)))
    for plane in 0..<3 {
      let extent = settings.layout.planeSize(plane, of: settings.size)
      for y in 0..<extent.height {
        for x in 0..<extent.width { frame.setSample(value(index, plane: plane, x: x, y: y), plane: plane, x: x, y: y) }
      }
    }
    return frame
  }

  /// What `write` returned for each frame.
  func segments(_ encoder: SegmentEncoder) throws -> [[MediaSegment]] {
    try times.indices.map { index in
      try encoder.write(
        frame(index), capturedAt: Self.start + Double(times[index]) / 1e6, isKey: keys.contains(index))
    }
  }

  /// A file of the stream that begins with segment `first`.
  func file(_ scratch: Scratch, from first: Int = 0) throws -> (path: String, segments: [MediaSegment]) {
    let encoder = try SegmentEncoder(settings)
    let written = try segments(encoder).flatMap(\.self) + encoder.flush()
    let path = scratch.path("\(settings.codec)-\(settings.layout.bitDepth)-\(first).mp4")
    let bytes = encoder.initialization + written[first...].flatMap(\.bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return (path, written)
  }

  /// The mean difference of luma from what was encoded, in code values of 8 bits.
  func error(_ frame: CodedFrame, index: Int) -> Double {
    var sum = 0
    for y in 0..<settings.size.height {
      for x in 0..<settings.size.width {
        sum += abs(frame.sample(plane: 0, x: x, y: y) - value(index, plane: 0, x: x, y: y))
      }
    }
    return Double(sum) / Double(settings.size.width * settings.size.height << (settings.layout.bitDepth - 8))
  }

  /// The frames of a file that begins with frame `first` are those that were encoded, at their times.
  func check(_ path: String, from first: Int = 0, _ location: SourceLocation = #_sourceLocation) throws {
    // FFmpeg adds durations up; where frames come early, that is more than there is.
    let reader = try MediaReader(url: path, limits: ReadLimits(acceptsTruncation: true))
    for index in first..<times.count {
      let frame = try #require(try reader.readFrame(), sourceLocation: location)
      let time = FrameTime(presentation: times[index], duration: frame.time.duration, timeBase: Rational(1, 1_000_000))
      #expect(frame.time == time, sourceLocation: location)
      #expect(frame.color == settings.color, sourceLocation: location)
      // A frame of the ramp differs from its neighbours by 6.
      #expect(error(frame, index: index) < 1, sourceLocation: location)
    }
    #expect(try reader.readFrame() == nil, sourceLocation: location)
  }

  /// Decoding time and duration of a segment.
  static func times(_ segment: MediaSegment) throws -> [Int] {
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    let track = try #require(ISOBoxes(segment.bytes)["moof"]?["traf"])
    let (start, run) = (try #require(track["tfdt"]).bytes, try #require(track["trun"]).bytes)
    return [number(start[4...]), number(run[12..<16])]
  }
}
