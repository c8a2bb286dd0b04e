import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// Pieces are read with their exact times, and what is no piece is refused.
@Suite struct PieceReaderTests {
  private struct Piece {
    let scratch: Scratch
    let path: String
    let times: PieceTimes
    let unit: Rational

    func reader(_ times: PieceTimes? = nil, path: String? = nil) throws -> PieceReader {
      try PieceReader(path: path ?? self.path, times: times ?? self.times, timeBase: unit)
    }
  }

  private func piece(
    _ coding: PieceFilm.Coding, _ times: PieceFilm.Times, _ range: Range<Int> = 0..<61
  ) throws -> Piece {
    let film = PieceFilm(coding: coding, times: times)
    let scratch = try Scratch()
    var settings = film.settings(scratch.path("piece.mkv"))
    settings.timeOrigin = try film.origin("film.mkv")
    let writer = try film.write(range, settings)
    let table = try #require(writer.pieceTimes)
    return Piece(scratch: scratch, path: settings.url, times: table, unit: settings.timeBase)
  }

  private func pictures(_ reader: PieceReader) throws -> [CodedPicture] {
    var reader = reader
    var result: [CodedPicture] = []
    while let picture = try reader.next() { result.append(picture) }
    return result
  }

  /// - Parameter reordering: What the encoder's settings lead to.
  @Test(arguments: [
    (PieceFilm.Coding.ffv1, 0), (.x264, 2), (.x265, 2), (.av1, 0), (.mpeg2, 1), (.prores, 0),
  ])
  func readsAPiece(_ coding: PieceFilm.Coding, _ reordering: Int) throws {
    guard coding.isHere else { return }
    let piece = try piece(coding, coding.unit == nil ? .late : .counted, 20..<61)
    let reader = try piece.reader()
    #expect(reader.count == 41 && reader.reordering == reordering && reader.times == piece.times)
    let pictures = try pictures(reader)
    #expect(pictures.map(\.presentation).sorted() == piece.times.presentations.values)
    #expect((pictures.map(\.presentation) == piece.times.presentations.values) == (reordering == 0))
    let durations = Dictionary(
      uniqueKeysWithValues: zip(piece.times.presentations.values, piece.times.durations.values))
    #expect(pictures.allSatisfy { durations[$0.presentation] == $0.duration && $0.packet.byteCount > 0 })
    // A second reading is the same.
    #expect(try self.pictures(reader).map(\.presentation) == pictures.map(\.presentation))
    // The piece is a film of its own.
    let film = try MediaReader(url: piece.path)
    var count = 0
    while try film.readFrame() != nil { count += 1 }
    #expect(count == 41 && film.statistics.damagedFrames == 0)
  }

  @Test func timesGoOnAfterThePieceBefore() throws {
    let piece = try piece(.ffv1, .steady)
    let reader = try PieceReader(path: piece.path, times: piece.times, timeBase: piece.unit, after: 1000)
    #expect(reader.times.presentations.text == "1001 1 1000 1001*58")
    #expect(try pictures(reader).first?.presentation == 1001)
  }

  private func expectUnfit(_ what: String, _ body: () throws -> PieceReader) {
    let error = #expect(throws: FFmpegError.self) { _ = try body() }
    guard case .unfitPiece(_, let found) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.contains(what), "\(found)")
    #expect(error?.description.contains("Render it again") == true)
  }

  @Test func tablesOfOtherPiecesAreRefused() throws {
    let piece = try piece(.x264, .steady)
    let (times, durations) = (piece.times.presentations.values, piece.times.durations)
    func table(_ times: [Int64]) -> PieceTimes {
      PieceTimes(presentations: CodedTimes(times), durations: CodedTimes(Array(repeating: 1, count: times.count)))
    }
    expectUnfit("has 61 pictures instead of 62") { try piece.reader(table(times + [100_000])) }
    expectUnfit("has more than 60 pictures") { try piece.reader(table(times.dropLast())) }
    expectUnfit("other times") { try piece.reader(table(times.map { $0 + $0 / 500 })) }
    expectUnfit("other times") { try piece.reader(table(times.dropLast() + [times[60] + 60])) }
    expectUnfit("inconsistent") { try piece.reader(PieceTimes()) }
    expectUnfit("inconsistent") { try piece.reader(table(times.reversed())) }
    expectUnfit("inconsistent") {
      try piece.reader(PieceTimes(presentations: CodedTimes(times + [100_000]), durations: durations))
    }
    // Only the offset from other films' grids may differ.
    #expect(try piece.reader(table(times.map { $0 + 500 })).count == 61)
  }

  @Test func filesThatAreNoPiecesAreRefused() throws {
    let piece = try piece(.x264, .steady)
    func make(_ name: String, _ arguments: [String]) throws -> String {
      let path = piece.scratch.path(name)
      try Tool.ffmpeg.run(["-i", piece.path] + arguments + ["-y", path])
      return path
    }
    let headless = try make("headless.mkv", ["-c", "copy", "-bsf:v", "noise=drop=eq(n\\,0):amount=0"])
    expectUnfit("begins without a key frame") { try piece.reader(path: headless) }
    let double = try make(
      "double.mkv", ["-f", "lavfi", "-i", "sine=440:d=1", "-map", "0", "-map", "1", "-c:v", "copy"])
    expectUnfit("more than one stream") { try piece.reader(path: double) }
    let silent = try make("sound.mkv", ["-f", "lavfi", "-i", "sine=440:d=1", "-map", "1"])
    #expect(throws: FFmpegError.noVideoStream(path: silent)) { try piece.reader(path: silent) }
    let other = try make("piece.mp4", ["-c", "copy"])
    #expect(throws: FFmpegError.self) { try piece.reader(path: other) }
    #expect(throws: FFmpegError.self) { try piece.reader(path: piece.scratch.path("none.mkv")) }
  }

  /// Cut off anywhere, a piece is refused, and none hangs.
  @Test func cutOffPiecesAreRefused() throws {
    let piece = try piece(.x264, .steady)
    let whole = try Data(contentsOf: URL(fileURLWithPath: piece.path))
    let path = piece.scratch.path("cut.mkv")
    for part in [0, 1, 40, 300, whole.count / 4, whole.count / 2] {
      try whole.prefix(part).write(to: URL(fileURLWithPath: path))
      #expect(throws: FFmpegError.self, "\(part)") { try piece.reader(path: path) }
    }
  }

  /// A file that is replaced after it was opened.
  @Test func aChangedPieceIsNoticed() throws {
    let (long, short) = try (piece(.ffv1, .steady), piece(.ffv1, .steady, 0..<30))
    var readers = try [long.reader(), short.reader()]
    try FileManager.default.removeItem(atPath: long.path)
    try FileManager.default.moveItem(atPath: short.path, toPath: long.path)
    #expect(throws: FFmpegError.unfitPiece(path: long.path, what: "has changed while it was read")) {
      while try readers[0].next() != nil {}
    }
    #expect(throws: FFmpegError.self) { try readers[1].next() }
  }

  @Test func configurationsAreCompared() throws {
    func stream(_ coding: PieceFilm.Coding, _ options: [String: String] = [:], threads: Int = 1) throws -> StreamCopy {
      var coding = coding
      coding.options.merge(options) { $1 }
      var film = PieceFilm(coding: coding, times: .late)
      film.threads = threads
      let scratch = try Scratch()
      var settings = film.settings(scratch.path("a.mkv"))
      settings.timeOrigin = try film.origin(settings.url)
      let writer = try film.write(0..<3, settings)
      let times = try #require(writer.pieceTimes)
      return try PieceReader(path: settings.url, times: times, timeBase: settings.timeBase).stream
    }
    func same(_ a: StreamCopy, _ b: StreamCopy) -> Bool {
      let results = [PieceReader.sameConfiguration(a, b), PieceReader.sameConfiguration(b, a)]
      #expect(results[0] == results[1])
      return results[0]
    }
    let x264 = try stream(.x264)
    #expect(try same(x264, stream(.x264, ["keyint": "5"], threads: 2)))
    #expect(try !same(x264, stream(.x264, ["ref": "1", "bframes": "0"])))
    let x265 = try stream(.x265)
    // The options stand in a message.
    #expect(try same(x265, stream(.x265, ["keyint": "5", "frame-threads": "2"], threads: 2)))
    #expect(try !same(x265, stream(.x265, ["ctu": "16"])))
    #expect(!same(x264, x265))
    let av1 = try stream(.av1)
    #expect(try same(av1, stream(.av1, threads: 2)))
    #expect(try !same(av1, stream(.av1, ["film-grain": "8"])))
    #expect(try same(stream(.ffv1), stream(.ffv1)))
    #expect(try !same(stream(.ffv1), stream(.ffv1, ["slices": "12"])))
  }

  @Test func decodingTimesFollowFromPresentationTimes() {
    func times(_ reordering: Int, _ pieces: [[Int64]]) -> [Int64] {
      var times = DecodingTimes(reordering: reordering)
      for piece in pieces { times.append(CodedTimes(piece)) }
      var result: [Int64] = []
      while let time = times.next() { result.append(time) }
      return result
    }
    #expect(times(0, [[5, 6], [9]]) == [5, 6, 9])
    // As x264 has them: the first ones at the intervals of the pictures.
    #expect(times(2, [[10, 14, 20, 21], [30]]) == [0, 4, 10, 14, 20])
    #expect(times(2, [[10], [14], [20], [21, 30]]) == [0, 4, 10, 14, 20])
    #expect(times(1, [[0, 40, 80]]) == [-40, 0, 40])
    #expect(times(2, [[7]]) == [7] && times(2, [[7, 9]]) == [5, 7] && times(3, []) == [])
    var long = DecodingTimes(reordering: 2)
    for piece in 0..<5 { long.append(CodedTimes((0..<5000).map { Int64(piece * 5000 + $0) })) }
    for number in 0..<25_000 {
      let time = long.next()
      #expect(time == Int64(number) - 2)
    }
    let surplus = long.next()
    #expect(surplus == nil)
  }
}
