import ColorScience
import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

/// A film that is joined from pieces is the film of a single run.
@Suite struct JoinTests {
  /// A film as ffprobe and our reader see it.
  struct Film {
    private struct Packets: Decodable {
      struct Packet: Decodable {
        var codec_type: String
        var pts, dts, duration: Int64?
      }
      let packets: [Packet]
    }

    /// Times of the packets of the picture, in the order of the file.
    let presentations, decodings, durations: [Int64?]
    /// Everything that ffprobe says about the file and its streams, but for sizes.
    let words: [String]
    /// Times of the frames.
    let frames: [Int64]

    init(_ path: String) throws {
      let data = try Tool.ffprobe.run([
        "-of", "json", "-show_data_hash", "md5", "-show_streams", "-show_chapters", "-show_entries",
        "format_tags:packet=codec_type,pts,dts,duration", path,
      ])
      let packets = try JSONDecoder().decode(Packets.self, from: data).packets.filter { $0.codec_type == "video" }
      (presentations, decodings) = (packets.map(\.pts), packets.map(\.dts))
      durations = packets.sorted { $0.pts ?? 0 < $1.pts ?? 0 }.map(\.duration)
      let text = String(decoding: data, as: UTF8.self)
      // Behind the packets.
      words = try text[#require(text.range(of: "\"streams\":")).lowerBound...].split(separator: "\n").map(String.init)
        .filter { !$0.contains("\"bit_rate\":") }
      let reader = try MediaReader(url: path)
      var times: [Int64] = []
      while let frame = try reader.readFrame() { times.append(frame.time.presentation) }
      #expect(reader.statistics.damagedFrames == 0 && reader.statistics.decodeErrors == 0)
      frames = times
    }
  }

  /// Times that are equal but for a tick.
  private static func agree(_ a: [Int64?], _ b: [Int64?]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { ($0 == nil) == ($1 == nil) && abs(($0 ?? 0) - ($1 ?? 0)) <= 1 }
  }

  /// - Parameter endsAlike: The last packet in the file has the same duration.
  static func expectSame(_ name: String, _ single: Film, count: Int, endsAlike: Bool = true) throws {
    let joined = try Film(name)
    #expect(joined.presentations.count == count && single.presentations.count == count)
    let sorted = [joined, single].map { $0.presentations.sorted { $0 ?? 0 < $1 ?? 0 } }
    #expect(agree(sorted[0], sorted[1]), "\(name)")
    #expect(agree(joined.decodings, single.decodings), "\(name)")
    #expect(joined.frames == single.frames, "\(name)")
    if !endsAlike { return }
    #expect(agree(joined.durations, single.durations), "\(name)")
    let isSame = joined.words == single.words
    #expect(isSame, "\(Set(joined.words).symmetricDifference(single.words).sorted()) in \(name)")
  }

  private static let films: [PieceFilm] = [
    .ffv1: [.steady, .late, .uneven], .x264: [.steady, .late, .milliseconds, .uneven],
    .x265: [.steady, .late, .uneven], .av1: [.steady, .late], .mpeg2: [.counted], .prores: [.late, .uneven],
  ].flatMap { coding, times in times.map { PieceFilm(coding: coding, times: $0) } }

  /// Pieces of a film.
  private static let counts = LongTests.areWanted ? [1, 3, 7] : [1, 7]

  @Test(arguments: films)
  func isTheFilmOfASingleRun(_ film: PieceFilm) throws {
    guard film.coding.isHere else { return }
    for container in film.coding.containers {
      var whole: Film?
      for count in Self.counts {
        let scratch = try Scratch()
        let (single, pieces, settings) = try film.make(container, pieces: count, in: scratch)
        let losses = try PieceFilm.join(pieces, settings)
        #expect(losses.sentences.isEmpty && losses.failure == nil)
        // In MP4 it is the duration of the picture that is decoded last, which depends on the reordering there.
        let endsAlike = film.times.name != "uneven" || pieces[0].reordering == 0 || container == "mkv"
        // The single run is the same each time.
        let expected = try whole ?? Film(single)
        whole = expected
        try Self.expectSame(settings.url, expected, count: film.times.frames.count, endsAlike: endsAlike)
        if film.coding.encoder == "ffv1" {
          let hashes = try [settings.url, single].map { try Tool.ffmpeg.run(["-i", $0, "-f", "framemd5", "-"]) }
          #expect(hashes[0] == hashes[1] && hashes[0].count > 1000)
        }
      }
    }
  }

  /// Containers without a place for parameter sets have them in the packets.
  @Test(arguments: [PieceFilm.Coding.x264, .x265, .mpeg2, .mpeg4], ["ts", "avi"])
  func parameterSetsComeBack(_ coding: PieceFilm.Coding, _ container: String) throws {
    guard coding.isHere, container == "ts" || coding.encoder != "libx265" else { return }
    let film = PieceFilm(coding: coding, times: coding.unit == nil ? .late : .counted)
    let scratch = try Scratch()
    let (single, pieces, settings) = try film.make(container, pieces: 3, in: scratch)
    try PieceFilm.join(pieces, settings)
    let joined = try Film(settings.url)
    #expect(try joined.frames == Film(single).frames && joined.frames.count == 61)
    // From the middle, where no header of the file is.
    let cut = scratch.path("cut.\(container)")
    try Tool.ffmpeg.run(["-ss", "1", "-i", settings.url, "-c", "copy", "-y", cut])
    #expect(try MediaReader(url: cut).readFrame() != nil)
  }

  /// What the settings say about the picture, streams beside it, tags and chapters.
  @Test(arguments: [PieceFilm.Coding.x264, .x265, .prores])
  func everythingElseIsAsInASingleRun(_ coding: PieceFilm.Coding) throws {
    guard coding.isHere else { return }
    let scratch = try Scratch()
    let source = try MediaReader(url: scratch.clipOfManyStreams("source.mkv"))
    let film = PieceFilm(coding: coding, times: .steady)
    let container = coding.containers[1]
    let streams = try [1, 2, 3].map { try #require(try source.streamCopy($0)) }
    var settings = film.settings(scratch.path("single.\(container)"))
    let text = container == "mkv" ? "srt" : "mov_text"
    settings.streams = [
      .copy(streams[0]), .frames, .encoded(streams[1], StreamEncoding(encoder: "aac", bitRate: 64_000, mix: .mono)),
      .encoded(streams[2], StreamEncoding(encoder: text)),
    ]
    settings.chapters = source.info.chapters
    settings.tags = ["title": "A film"]
    settings.videoTags = ["language": "fra"]
    settings.videoDispositions = ["default", "original"]
    settings.displayMatrix = DisplayMatrix(counterclockwise: -90)
    settings.sampleAspectRatio = Rational(4, 3)
    settings.fieldOrder = coding.encoder == "libx265" ? nil : .topFirst
    settings.metadata = HDRMetadata(contentLight: ContentLight(maxCLL: 987, maxFALL: 321))
    settings.insistsOnMetadata = true
    try source.pass([1, 2, 3])
    var batches: [[PacketBatch]] = [[], []]
    let again = try MediaReader(url: scratch.path("source.mkv"))
    try again.pass([1, 2, 3])
    for (index, reader) in [source, again].enumerated() {
      while let item = try reader.read() {
        if let batch = item.passing as? PacketBatch { batches[index].append(batch) }
      }
    }
    let dispositions = ["mov": "dispositions 'comment', 'forced', 'original'", "mp4": "disposition 'original'"]
    let lost = dispositions[container].map { ["The output does not hold the \($0)."] } ?? []
    try film.write(0..<61, settings, batches: batches[0], losing: lost)
    let single = settings.url
    settings.timeOrigin = try film.origin(single)
    settings.url = scratch.path("joined.\(container)")
    let losses = try PieceFilm.join(film.readers(3, of: settings, in: scratch), settings, batches: batches[1])
    #expect(losses.sentences == lost && losses.failure == nil)
    try Self.expectSame(settings.url, Film(single), count: 61)
    let sides = try [settings.url, single].map {
      try Tool.ffmpeg.run(["-i", $0, "-map", "0", "-map", "-0:v", "-c", "copy", "-f", "framemd5", "-"])
    }
    #expect(sides[0] == sides[1] && sides[0].count > 5000)
  }

  /// The box that tells players which pictures they may drop.
  @Test func disposablePicturesAreMarked() throws {
    let film = PieceFilm(coding: .x265, times: .steady)
    guard film.coding.isHere else { return }
    let scratch = try Scratch()
    let (single, pieces, settings) = try film.make("mp4", pieces: 1, in: scratch)
    try PieceFilm.join(pieces, settings)
    let boxes = try [settings.url, single].map { path in
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let start = try #require(data.range(of: Data("sdtp".utf8))).upperBound
      return data[start..<start + 65]
    }
    #expect(boxes[0] == boxes[1] && Set(boxes[0]).count > 1)
  }

  @Test func nothingIsLeftOfACancelledFile() throws {
    let film = PieceFilm(coding: .ffv1, times: .steady)
    let scratch = try Scratch()
    var settings = film.settings(scratch.path("joined.mkv"))
    settings.timeOrigin = try film.origin(settings.url)
    var piece = try film.readers(1, of: settings, in: scratch)[0]
    let joiner = try MediaJoiner(settings, like: piece.stream, reordering: 0)
    let picture = try #require(try piece.next())
    try joiner.write(picture.packet, presentation: 0, decoding: 0, duration: 1)
    #expect(scratch.contents.count == 2)
    joiner.cancel()
    #expect(scratch.contents == ["piece0.mkv"])
    #expect(throws: FFmpegError.closed(path: settings.url)) { try joiner.finish() }
    #expect(throws: FFmpegError.closed(path: settings.url)) { try joiner.pass(PacketBatch()) }
  }
}
