internal import ColorScience
internal import FFmpegIO
public import Foundation
internal import Frames
internal import Media
public import Sessions
internal import ToneMapping

/// A transcode divided into chunks. Everything that runs over frames is settled here, so that a chunk is the same
/// whichever machine renders it.
///
/// A chunk is a span of the input's own time: frames belong to it by their presentation time, wherever its key frames are.
public struct FilmPlan: Sendable, Hashable, Codable {
  /// Consecutive frames of the input.
  public struct Chunk: Sendable, Hashable, Codable {
    /// Number of its first frame, from 0, and the number of frames, as the packets of the input have them.
    public let first, count: Int
    /// Presentation time of the first frame in ticks of the input's stream.
    public let start: Int64
  }

  /// The whole transcode.
  public let transcode: TranscodePlan
  /// The input when the plan was made.
  public let input: InputFingerprint
  /// What made the plan, and renders it.
  public package(set) var versions: ToolVersions
  /// The chunks in order.
  public let chunks: [Chunk]
  /// Time of the first frame after the last chunk; nil: it goes to the end of the input.
  let end: Int64?
  /// Time of the frame before the first chunk in seconds; nil: there is none.
  let precedingSeconds: Double?
  /// Tries after which a chunk counts as failed.
  public let maximumTries: Int
  /// Length in seconds of the input's ticks.
  let inputTimeBase: Rational
  /// Packets of the input and decoded frames are the same in number.
  let isCounted: Bool
  /// The input's clock jumps: pieces are decoded from its beginning.
  let avoidsSeeking: Bool
  /// Hash of the file with the state of shots at the beginning of each chunk; nil: no dynamic metadata is used.
  let shots: String?

  init(
    _ transcode: TranscodePlan, _ input: InputFingerprint, _ division: FilmDivision, timeBase: Rational,
    isCounted: Bool, avoidsSeeking: Bool, maximumTries: Int, shots: String?
  ) {
    (inputTimeBase, self.isCounted, self.avoidsSeeking) = (timeBase, isCounted, avoidsSeeking)
    (self.transcode, self.input) = (transcode, input)
    versions = ToolVersions(encoder: transcode.video.encoder)
    (chunks, end, precedingSeconds) = (division.chunks, division.end, division.precedingSeconds)
    (self.maximumTries, self.shots) = (maximumTries, shots)
  }

  /// Name of the file of `shots` in the work folder.
  static let shotsName = "shots.json"

  /// Time of the first frame that does not belong to a chunk; nil: it goes to the end of the input.
  func end(of number: Int) -> Int64? { number + 1 < chunks.count ? chunks[number + 1].start : end }

  /// When the film begins, in input time.
  var firstTime: FrameTime { time(chunks[0].start) }

  func time(_ ticks: Int64) -> FrameTime { FrameTime(presentation: ticks, duration: 0, timeBase: inputTimeBase) }

  /// Frames that are written of those of the input.
  func outputFrames(of chunk: Chunk) -> Int {
    let every = transcode.request.selection.every
    return (chunk.count + every - 1) / every
  }

  /// A time on the grid of the encoder's time base, which all pieces share.
  var timeOrigin: FrameTime {
    let first = transcode.selection.zero(firstTime).map { firstTime.counted(from: $0) } ?? firstTime
    return (try? MediaWriter.timeOrigin(ofFilm: first, url: transcode.video.url, format: transcode.video.format))
      ?? first
  }

  /// Frames after a piece that its encoder sees, so that its last pictures are as good as those before them.
  var lookahead: Int {
    let video = transcode.video
    return video.encoder.map {
      Encoders.lookahead($0, preset: video.preset, options: video.encoderOptions.map { ($0.name, $0.value) })
    } ?? 0
  }

  /// When a chunk ends, in output time, in ticks of the input's stream; nil: with the film.
  func outputEnd(of number: Int) -> Int64? {
    end(of: number).map { end in
      transcode.selection.zero(firstTime).map { time(end).counted(from: $0).presentation } ?? end
    }
  }

  /// What the output is written with, but for its other streams.
  func outputSettings(_ streams: [MediaWriter.OutputStream]) -> MediaWriter.Settings {
    var settings = transcode.video.settings(streams: streams)
    settings.inputs = transcode.request.filesRead
    settings.timeOrigin = timeOrigin
    return settings
  }

  /// What the piece of a chunk is written with: the picture alone.
  func pieceSettings(_ path: String) -> MediaWriter.Settings {
    var video = transcode.video
    (video.tags, video.videoTags, video.chapters) = ([:], [:], [])
    (video.displayMatrix, video.projection) = (nil, [])
    var settings = video.settings()
    (settings.url, settings.format, settings.replacesFile) = (path, "matroska", true)
    // A chunk that two machines render has one name.
    settings.isReproducible = true
    // Those are for the film's container.
    settings.muxerOptions = []
    settings.timeOrigin = timeOrigin
    return settings
  }

  /// As it is stored in a work folder.
  /// - Throws: `EncodingError` for values that JSON cannot represent.
  public func json() throws -> Data { try SealedPlan(self).json() }

  /// What will be done, in one line.
  public var summary: String {
    let frames = chunks.reduce(0) { $0 + $1.count }
    let pieces = chunks.count == 1 ? "1 piece" : "\(chunks.count) pieces"
    return transcode.summary + "; \(pieces), \(frames) frames"
  }

  /// What will be done, line by line.
  public var lines: [String] {
    let counts = chunks.map(\.count)
    let (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
    let frames = least == most ? "\(most)" : "\(least) to \(most)"
    return transcode.lines + ["pieces: \(chunks.count), of \(frames) frames"]
  }
}

extension FilmPlan: StoredPlan {
  /// Frames beyond are of no film, and sums of them may overflow.
  private static let mostFrames = 1_000_000_000

  /// The chunks follow each other, and the transcode is sound.
  package var isSound: Bool {
    guard 1...FilmRequest.maximumChunks ~= chunks.count, FilmRequest.possibleTries ~= maximumTries,
      inputTimeBase.numerator > 0, inputTimeBase.denominator > 0,
      chunks.allSatisfy({ 0...Self.mostFrames ~= $0.first && 1...Self.mostFrames ~= $0.count }),
      zip(chunks, chunks.dropFirst()).allSatisfy({ $0.first + $0.count == $1.first && $0.start < $1.start })
    else { return false }
    let times = [chunks[0].start, chunks[chunks.count - 1].start, end ?? 0]
    guard times.allSatisfy({ FrameTime.possible ~= $0 }), end.map({ $0 > chunks[chunks.count - 1].start }) ?? true
    else { return false }
    return transcode.isSound
  }
}
