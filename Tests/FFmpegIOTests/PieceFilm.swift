import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// A small film that is written in a single run, and in pieces that are joined.
struct PieceFilm: Sendable, CustomStringConvertible {
  /// What the frames are coded with, and where they go.
  struct Coding: Sendable, Hashable, CustomStringConvertible {
    let encoder: String
    let containers: [String]
    var layout = PixelLayout(.ycbcr420, bitDepth: 8)
    var preset: String?
    var options: [String: String] = [:]
    /// The encoder counts frames.
    var unit: Rational?
    var description: String { encoder }

    static let ffv1 = Coding(encoder: "ffv1", containers: ["mkv", "mov"])
    static let x264 = Coding(
      encoder: "libx264", containers: ["mkv", "mp4"], preset: "veryfast", options: ["bframes": "3", "keyint": "12"])
    static let x265 = Coding(
      encoder: "libx265", containers: ["mkv", "mp4"], layout: PixelLayout(.ycbcr420, bitDepth: 10), preset: "ultrafast",
      options: ["bframes": "4", "open-gop": "1", "keyint": "10", "b-adapt": "0"])
    static let av1 = Coding(
      encoder: "libsvtav1", containers: ["mkv", "mp4"], layout: PixelLayout(.ycbcr420, bitDepth: 10), preset: "12")
    static let mpeg2 = Coding(
      encoder: "mpeg2video", containers: ["mkv", "mp4"], options: ["bf": "2"], unit: Rational(1, 25))
    static let mpeg4 = Coding(encoder: "mpeg4", containers: ["avi"], options: ["bf": "2"], unit: Rational(1, 25))
    static let prores = Coding(
      encoder: "prores_ks", containers: ["mkv", "mov"], layout: PixelLayout(.ycbcr422, bitDepth: 10))

    var isHere: Bool {
      if Encoders.available[encoder] != nil { return true }
      noteSkip("films of \(encoder), as FFmpeg has none")
      return false
    }
  }

  /// When the frames are shown.
  struct Times: Sendable, CustomStringConvertible {
    let name: String
    let base: Rational
    var unit: Rational?
    let frames: [(Int64, Int64)]
    var rate: Rational? = Rational(25, 1)
    var description: String { name }

    private static func even(_ count: Int, from first: Int64, by step: Int64) -> [(Int64, Int64)] {
      (0..<count).map { (first + Int64($0) * step, step) }
    }

    static let steady = Times(
      name: "24000/1001", base: Rational(1, 24_000), frames: even(61, from: 0, by: 1001), rate: Rational(24_000, 1001))
    static let late = Times(
      name: "from 77 s", base: Rational(1, 90_000), frames: even(61, from: 7_003_001, by: 3003),
      rate: Rational(30_000, 1001))
    static let milliseconds: Times = {
      let starts = (0..<61).map { (Double($0) * 1001 / 24).rounded() }
      return Times(name: "milliseconds", base: Rational(1, 1000), frames: starts.map { (Int64($0), 42) }, rate: nil)
    }()
    /// With a pause, and frames that are closer than a millisecond or not in order.
    static let uneven: Times = {
      let steps: [Int64] = [3600, 1800, 1, 5400, 0, 3600, 27_000, 40, 3600, 1, 2]
      var time: Int64 = 900_000
      return Times(
        name: "uneven", base: Rational(1, 90_000),
        frames: (0..<61).map { index in
          defer { time += steps[index % steps.count] }
          return (time, steps[index % steps.count])
        }, rate: nil)
    }()
    /// The encoder counts frames, and the first is not on its grid.
    static let counted: Times = {
      let frames = (0..<61).map { (1055 + $0 * 40 + $0 % 3, Int64(40)) }
      return Times(
        name: "off the grid", base: Rational(1, 1000), unit: Rational(1, 25), frames: frames.map { (Int64($0.0), $0.1) }
      )
    }()
  }

  let coding: Coding
  let times: Times
  var threads = 1
  var description: String { "\(coding), \(times)" }
  static let size = Size(width: 64, height: 64)

  func settings(_ url: String) -> MediaWriter.Settings {
    // Chroma is sited as in containers that state nothing.
    var settings = MediaWriter.Settings(
      url: url, encoder: coding.encoder, size: Self.size, layout: coding.layout, timeBase: times.unit ?? times.base,
      frameRate: times.rate,
      color: ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, range: .narrow))
    settings.preset = coding.preset
    settings.encoderOptions = coding.options.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    settings.threads = threads
    return settings
  }

  private func time(_ index: Int) -> FrameTime {
    FrameTime(presentation: times.frames[index].0, duration: times.frames[index].1, timeBase: times.base)
  }

  /// Writes some of the frames. Their content moves, and differs from one to the next.
  /// - Parameter batches: Packets of other streams, which are passed before the frames.
  @discardableResult
  func write(
    _ range: Range<Int>, _ settings: MediaWriter.Settings, batches: [PacketBatch] = [], losing lost: [String] = []
  ) throws -> MediaWriter {
    let writer = try MediaWriter(settings)
    for batch in batches { try writer.pass(batch) }
    for index in range {
      let frame = try writer.makeFrame(time: time(index), fieldOrder: settings.fieldOrder)
      for plane in 0..<frame.layout.planeCount {
        let extent = frame.layout.planeSize(plane, of: frame.size)
        for y in 0..<extent.height {
          for x in 0..<extent.width {
            frame.setSample(((x + index) * 3 + y * 2 + (x - index) * (y + index) / 9) & 0xFF, plane: plane, x: x, y: y)
          }
        }
      }
      try writer.write(frame)
    }
    let losses = try writer.finish()
    // MPEG-4 part 2 has no place for the tags of PQ, and neither have some containers.
    #expect((losses.sentences == lost || coding.encoder == "mpeg4") && losses.failure == nil)
    return writer
  }

  /// Places to cut: pieces of unequal length.
  func pieces(_ count: Int) -> [Range<Int>] {
    let total = times.frames.count
    let cuts = (0...count).map { $0 == 0 ? 0 : $0 == count ? total : min(total - 1, total * $0 / count + $0 % 3) }
    return zip(cuts, cuts.dropFirst()).map { $0..<$1 }
  }

  /// What belongs to all pieces of the film at `url`.
  func origin(_ url: String) throws -> FrameTime { try MediaWriter.timeOrigin(ofFilm: time(0), url: url) }

  /// Writes the film in a single run, and its pieces.
  func make(_ container: String, pieces count: Int, in scratch: Scratch) throws -> (
    single: String, pieces: [PieceReader], joined: MediaWriter.Settings
  ) {
    var settings = settings(scratch.path("single.\(container)"))
    try write(0..<times.frames.count, settings)
    settings.timeOrigin = try origin(settings.url)
    let single = settings.url
    settings.url = scratch.path("joined.\(container)")
    return (single, try readers(count, of: settings, in: scratch), settings)
  }

  /// Writes the pieces of the film that `settings` describe, and opens them.
  func readers(_ count: Int, of settings: MediaWriter.Settings, in scratch: Scratch) throws -> [PieceReader] {
    var previous: Int64?
    return try pieces(count).enumerated().map { number, range in
      var piece = settings
      piece.url = scratch.path("piece\(number).mkv")
      piece.streams = [.frames]
      piece.chapters = []
      piece.tags = [:]
      let table = try #require(try write(range, piece).pieceTimes)
      let texts = (table.presentations.text, table.durations.text)
      let times = try PieceTimes(
        presentations: CodedTimes(parsing: texts.0), durations: CodedTimes(parsing: texts.1))
      #expect(times == table)
      let reader = try PieceReader(path: piece.url, times: times, timeBase: settings.timeBase, after: previous)
      previous = reader.times.presentations.last
      return reader
    }
  }

  /// Joins the pieces.
  /// - Parameter batches: Packets of other streams, which are passed before the pictures.
  @discardableResult
  static func join(
    _ pieces: [PieceReader], _ settings: MediaWriter.Settings, batches: [PacketBatch] = []
  ) throws -> OutputLosses {
    let reordering = pieces.map(\.reordering).max() ?? 0
    let joiner = try MediaJoiner(settings, like: pieces[0].stream, reordering: reordering)
    var decoding = DecodingTimes(reordering: reordering)
    for piece in pieces { decoding.append(piece.times.presentations) }
    for batch in batches { try joiner.pass(batch) }
    for piece in pieces {
      #expect(PieceReader.sameConfiguration(pieces[0].stream, piece.stream))
      var piece = piece
      while let picture = try piece.next() {
        let next = decoding.next()
        let time = try #require(next)
        try joiner.write(
          picture.packet, presentation: picture.presentation, decoding: time, duration: picture.duration)
      }
    }
    let surplus = decoding.next()
    #expect(surplus == nil && joiner.movedPackets == 0)
    return try joiner.finish()
  }
}
