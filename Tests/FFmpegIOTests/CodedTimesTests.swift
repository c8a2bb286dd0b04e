import FFmpegIO
import Foundation
import Frames
import TestSupport
import Testing

/// Tables of times, and those that a writer keeps.
@Suite struct CodedTimesTests {
  @Test func textIsShortWhereTimesAreRegular() throws {
    var times = (0..<720).map { Int64($0) * 1001 }
    times.append(times[719] + 2002)
    for _ in 0..<30 { times.append(times[times.count - 1] + 1001) }
    let table = CodedTimes(times)
    #expect(table.text == "0 1001*719 2002 1001*30")
    #expect(table.count == 751 && table.first == 0 && table.last == times.last && table.isIncreasing)
    let read = try CodedTimes(parsing: table.text)
    #expect(read == table && read.values == times)
    #expect(CodedTimes([40, 40, 40]).text == "40 0*2")
    #expect(try CodedTimes(parsing: "").values == [] && CodedTimes().text == "")
  }

  @Test func anyNumbersComeBack() throws {
    var random = Xorshift(seed: 5)
    for count in [1, 2, 3, 100] {
      let values = (0..<count).map { _ in Int64.random(in: -(1 << 40)...(1 << 40), using: &random) }
      #expect(try CodedTimes(parsing: CodedTimes(values).text).values == values)
    }
    for values: [Int64] in [[.min], [.max], [.min, -1], [.max, 0, .max]] {
      #expect(try CodedTimes(parsing: CodedTimes(values).text).values == values)
    }
  }

  @Test(arguments: [
    " ", "0 ", " 0", "0  1", "x", "0 x", "0 1*", "0 1*0", "0 1*-1", "0 *3", "1*3", "0 1*3*3", "+1", "0 +1", "0x10",
    "99999999999999999999", "0 1*10000000", "0 1*9999999999999999999", "0 1*9000000 1*9000000",
    "0 9223372036854775807*2", "9223372036854775807 1", "-9223372036854775808 -1", "0 4611686018427387904*2", "0\n1",
    "０",
    String(repeating: "0", count: 1_000_000), "0\u{0}",
  ])
  func hostileTextsAreRefused(_ text: String) throws {
    #expect(throws: FFmpegError.self) { try CodedTimes(parsing: text) }
  }

  /// As many as are allowed need memory only when they are asked for.
  @Test func theLimitIsReached() throws {
    let table = try CodedTimes(parsing: "5 0*\(CodedTimes.limit - 1)")
    #expect(table.count == CodedTimes.limit && table.last == 5 && !table.isIncreasing)
    #expect(throws: FFmpegError.invalidTimes(place: CodedTimes.limit)) {
      try CodedTimes(parsing: "5 0*\(CodedTimes.limit - 1) 1")
    }
  }

  @Test func timesGoOnAfterOthers() {
    #expect(CodedTimes([5, 6, 9]).increasing(after: 4).values == [5, 6, 9])
    #expect(CodedTimes([5, 6, 9]).increasing(after: 5).values == [6, 7, 9])
    #expect(CodedTimes([5, 5, 4, 9]).increasing(after: nil).values == [5, 6, 7, 9])
    #expect(CodedTimes().increasing(after: 3).values == [])
  }

  private func times(
    _ frames: [(Int64, Int64)], base: Rational, origin: FrameTime?, in unit: Rational, _ encoder: String
  ) throws -> (table: PieceTimes?, moved: Int) {
    let scratch = try Scratch()
    var settings = MediaWriter.Settings(
      url: scratch.path("a.mkv"), encoder: encoder, size: Size(width: 64, height: 48),
      layout: PixelLayout(.ycbcr420, bitDepth: 8), timeBase: unit, frameRate: Rational(25, 1), color: .bt709)
    settings.timeOrigin = origin
    let writer = try MediaWriter(settings)
    for (presentation, duration) in frames {
      let time = FrameTime(presentation: presentation, duration: duration, timeBase: base)
      try writer.write(writer.makeFrame(time: time))
    }
    try writer.finish()
    return (writer.pieceTimes, writer.movedFrames)
  }

  /// The writer's table is that of its frames, whatever the encoder does with their order.
  @Test(arguments: ["ffv1", "libx264"])
  func aWriterKeepsATable(_ encoder: String) throws {
    let base = Rational(1, 90_000)
    let frames: [(Int64, Int64)] = [(500_000, 3600), (503_600, 3600), (509_000, 900), (509_900, 0), (509_900, 7)]
    let origin = FrameTime(presentation: 7, duration: 3600, timeBase: base)
    let (table, moved) = try times(frames, base: base, origin: origin, in: base, encoder)
    #expect(table?.presentations.values == [500_000, 503_600, 509_000, 509_900, 509_901])
    #expect(table?.durations.values == [3600, 3600, 900, 0, 7])
    #expect(moved == 1)
    #expect(try times(frames, base: base, origin: nil, in: base, encoder).table == nil)
  }

  /// The offset from the grid is that of the film's first frame.
  @Test func theOriginDeterminesTheGrid() throws {
    let base = Rational(1, 1000)
    let frames: [(Int64, Int64)] = [(1055, 40), (1095, 40), (1135, 40)]
    for (first, expected) in [
      (Int64(15), [26, 27, 28]), (35, [27, 28, 29]), (1055, [26, 27, 28]), (40, [26, 27, 28]),
    ] {
      let origin = FrameTime(presentation: first, duration: 40, timeBase: base)
      let table = try times(frames, base: base, origin: origin, in: Rational(1, 25), "mpeg2video").table
      #expect(table?.presentations.values == expected.map { Int64($0) }, "\(first)")
    }
  }

  @Test func containersThatCountFramesHaveNoOffset() throws {
    let first = FrameTime(presentation: 15, duration: 40, timeBase: Rational(1, 1000))
    #expect(try MediaWriter.timeOrigin(ofFilm: first, url: "a.mp4") == first)
    #expect(try MediaWriter.timeOrigin(ofFilm: first, url: "a.avi").presentation == 0)
    #expect(throws: FFmpegError.self) { try MediaWriter.timeOrigin(ofFilm: first, url: "a.none") }
  }
}
