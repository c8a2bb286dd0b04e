import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

@Suite struct SegmentEncoderTests {
  @Test(arguments: StreamCodec.allCases, [8, 10])
  func segmentsDecode(_ codec: StreamCodec, _ bits: Int) throws {
    let scratch = try Scratch()
    let film = SegmentFilm(codec, bits: bits)
    try film.check(film.file(scratch).path)
  }

  @Test(arguments: StreamCodec.allCases, [1, 2, 0])
  func noPictureIsHeldBack(_ codec: StreamCodec, _ threads: Int) throws {
    var film = SegmentFilm(codec, frames: 4)
    film.settings.threads = threads
    let encoder = try SegmentEncoder(film.settings)
    #expect(try film.segments(encoder).map(\.count) == [1, 1, 1, 1])
    #expect(try encoder.flush().isEmpty)
  }

  @Test(arguments: StreamCodec.allCases)
  func keyFramesAreWhereAsked(_ codec: StreamCodec) throws {
    let scratch = try Scratch()
    var film = SegmentFilm(codec, frames: 9)
    film.keys = [3, 4]
    let segments = try film.file(scratch).segments
    #expect(segments.map(\.isKey) == [true, false, false, true, true, false, false, false, false])
    #expect(segments.map(\.sequence) == Array(1...9))
  }

  @Test(arguments: StreamCodec.allCases, [8, 10])
  func aDecoderMayBeginAtAKeyFrame(_ codec: StreamCodec, _ bits: Int) throws {
    let scratch = try Scratch()
    var film = SegmentFilm(codec, bits: bits, frames: 7)
    film.keys = [4]
    try film.check(film.file(scratch, from: 4).path, from: 4)
  }

  @Test func keyFramesComeAfterTheInterval() throws {
    let scratch = try Scratch()
    var film = SegmentFilm(.h264, frames: 12)
    film.settings.keyInterval = 0.2
    film.keys = [7]
    let keys = try film.file(scratch).segments.enumerated().filter(\.element.isKey).map(\.offset)
    #expect(keys == [0, 5, 7])
  }

  /// Players drop what follows a gap of more than two durations until a key frame.
  @Test func aFrameAfterAGapIsAKeyFrame() throws {
    let scratch = try Scratch()
    var film = SegmentFilm(.h264)
    film.times = [0, 40_000, 120_000, 200_001, 240_001, 10_000_000]
    #expect(try film.file(scratch).segments.map(\.isKey) == [true, false, false, true, false, true])
  }

  @Test(arguments: StreamCodec.allCases)
  func variableTimesAreExact(_ codec: StreamCodec) throws {
    var film = SegmentFilm(codec)
    // Beyond 32 bits.
    film.times = [5_000_000_001, 5_000_040_003, 5_000_040_004, 5_000_123_456, 5_001_000_000, 5_001_016_683]
    let scratch = try Scratch()
    let path = try film.file(scratch).path
    try film.check(path)
    let packets = try #require(try Probe(path, ["-show_packets"]).packets)
    #expect(packets.map(\.pts) == film.times)
  }

  @Test func statedDurationsAreKept() throws {
    let film = SegmentFilm(.h264)
    let encoder = try SegmentEncoder(film.settings)
    for (time, duration, expected) in [(0, 1, [0, 41_708]), (1, 3, [41_708, 125_125]), (7, 0, [291_958, 40_000])] {
      let moved = film.frame(0).at(
        FrameTime(presentation: Int64(time), duration: Int64(duration), timeBase: Rational(1001, 24_000)))
      let segments = try encoder.write(moved, capturedAt: 0, isKey: false)
      #expect(try SegmentFilm.times(segments[0]) == expected)
    }
  }

  @Test func timesThatDoNotIncreaseAreMoved() throws {
    let scratch = try Scratch()
    var film = SegmentFilm(.h264)
    film.times = [50_000, 50_000, 20_000, 90_000]
    let path = try film.file(scratch).path
    #expect(try Probe(path, ["-show_packets"]).packets?.map(\.pts) == [50_000, 50_001, 50_002, 90_000])
  }

  @Test func unfitFramesAreErrors() throws {
    let film = SegmentFilm(.h264)
    let encoder = try SegmentEncoder(film.settings)
    func write(_ frame: CodedFrame) throws { _ = try encoder.write(frame, capturedAt: 0, isKey: false) }
    let times: [(Int64, Rational)] = [
      (-1, Rational(1, 25)), (.max, Rational(1, 25)), (.min, Rational(1, 25)), (1, Rational(1, 0)),
    ]
    for (time, base) in times {
      let frame = film.frame(0).at(FrameTime(presentation: time, duration: .max, timeBase: base))
      #expect(throws: FFmpegError.self) { try write(frame) }
    }
    let other = SegmentFilm(.h264, size: Size(width: 32, height: 48)).frame(0)
    #expect {
      try write(other)
    } throws: {
      if case .frameMismatch? = $0 as? FFmpegError { true } else { false }
    }
    // None of them has done harm.
    #expect(try encoder.write(film.frame(0), capturedAt: .infinity, isKey: false).map(\.isKey) == [true])
    #expect(try encoder.flush().isEmpty)
    #expect(throws: FFmpegError.closed(path: "h264 stream")) { try write(film.frame(1)) }
    #expect(try encoder.flush().isEmpty)
  }

  @Test(arguments: StreamCodec.allCases, [Size(width: 16, height: 16), Size(width: 34, height: 18)])
  func smallPictures(_ codec: StreamCodec, _ size: Size) throws {
    let scratch = try Scratch()
    let film = SegmentFilm(codec, bits: 8, size: size, frames: 2)
    try film.check(film.file(scratch).path)
  }

  @Test(arguments: [
    Size(width: 15, height: 16), Size(width: 16, height: 17), Size(width: 14, height: 16),
    Size(width: 16, height: 8194), Size(width: 0, height: 0), Size(width: .max, height: 16),
  ])
  func otherSizesAreRefused(_ size: Size) {
    var settings = SegmentFilm(.h264).settings
    settings.size = size
    #expect(throws: FFmpegError.unsupportedSize(size, path: "h264 stream")) { try SegmentEncoder(settings) }
  }

  @Test func otherSettingsAreRefused() {
    var settings = SegmentFilm(.av1).settings
    settings.frameRate = Rational(25, 0)
    #expect(throws: FFmpegError.self) { try SegmentEncoder(settings) }
    settings.frameRate = Rational(25, 1)
    settings.layout = PixelLayout(.ycbcr422, bitDepth: 8)
    #expect(throws: FFmpegError.self) { try SegmentEncoder(settings) }
  }

  @Test func encodersWorkBesideEachOther() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for codec in StreamCodec.allCases {
        group.addTask {
          let scratch = try Scratch()
          let film = SegmentFilm(codec, frames: 10)
          try film.check(film.file(scratch).path)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: StreamCodec.allCases)
  func streamsNeedNotHaveFramesOrAnEnd(_ codec: StreamCodec) throws {
    let film = SegmentFilm(codec)
    for _ in 0..<3 { _ = try SegmentEncoder(film.settings) }
    #expect(try SegmentEncoder(film.settings).flush().isEmpty)
    let encoder = try SegmentEncoder(film.settings)
    #expect(try encoder.write(film.frame(0), capturedAt: 0, isKey: true).count == 1)
  }
}
