internal import ColorScience
internal import FFmpegIO
public import Foundation
internal import Frames
internal import Media
public import Sessions
internal import ToneMapping

/// A transcode divided into chunks. Everything that depends on earlier frames is settled here, so that a chunk comes
/// out the same on any machine.
///
/// A chunk is a span of input time: frames belong to it by presentation time, regardless of key frames.
public struct FilmPlan: Sendable, Hashable, Codable {
  /// Consecutive frames of the input.
  public struct Chunk: Sendable, Hashable, Codable {
    /// Number of its first frame, from 0, and its number of frames, counted in packets of the input.
    public let first, count: Int
    /// Presentation time of the first frame in ticks of the input's stream.
    public let start: Int64
  }

  /// The whole transcode.
  public let transcode: TranscodePlan
  /// Fingerprint of the input at planning time.
  public let input: InputFingerprint
  /// Versions that made the plan and have to render it.
  public package(set) var versions: ToolVersions
  /// The chunks in order.
  public let chunks: [Chunk]
  /// Time of the first frame after the last chunk; nil: the end of the input.
  let end: Int64?
  /// Time in seconds of the frame before the first chunk; nil: none.
  let precedingSeconds: Double?
  /// Number of tries after which a chunk counts as failed.
  public let maximumTries: Int
  /// Time base of the input, in seconds.
  let inputTimeBase: Rational
  /// The input has as many packets as decoded frames.
  let isCounted: Bool
  /// The input's timestamps jump: pieces are decoded from its start.
  let avoidsSeeking: Bool
  /// Hash of the file with the shot state at the start of each chunk; nil: no dynamic metadata is used.
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

  /// Name of the shot file in the work folder.
  static let shotsName = "shots.json"

  /// Returns the time of the first frame after a chunk; nil: the end of the input.
  func end(of number: Int) -> Int64? { number + 1 < chunks.count ? chunks[number + 1].start : end }

  /// Start of the film in input time.
  var firstTime: FrameTime { time(chunks[0].start) }

  func time(_ ticks: Int64) -> FrameTime { FrameTime(presentation: ticks, duration: 0, timeBase: inputTimeBase) }

  /// Returns the number of frames written for a chunk.
  func outputFrames(of chunk: Chunk) -> Int {
    let every = transcode.request.selection.every
    return (chunk.count + every - 1) / every
  }

  /// A time on the grid of the encoder's time base, shared by all pieces.
  var timeOrigin: FrameTime {
    let first = transcode.selection.zero(firstTime).map { firstTime.counted(from: $0) } ?? firstTime
    return (try? MediaWriter.timeOrigin(ofFilm: first, url: transcode.video.url, format: transcode.video.format))
      ?? first
  }

  /// Number of frames after a piece that its encoder sees, so that its last pictures are as good as the others.
  var lookahead: Int {
    let video = transcode.video
    return video.encoder.map {
      Encoders.lookahead($0, preset: video.preset, options: video.encoderOptions.map { ($0.name, $0.value) })
    } ?? 0
  }

  /// Returns the end of a chunk in output time, in ticks of the input's stream; nil: the end of the film.
  func outputEnd(of number: Int) -> Int64? {
    end(of: number).map { end in
      transcode.selection.zero(firstTime).map { time(end).counted(from: $0).presentation } ?? end
    }
  }

  /// Returns the writer settings of the output, without its other streams.
  func outputSettings(_ streams: [MediaWriter.OutputStream]) -> MediaWriter.Settings {
    var settings = transcode.video.settings(streams: streams)
    settings.inputs = transcode.request.filesRead
    settings.timeOrigin = timeOrigin
    return settings
  }

  /// Returns the writer settings of a piece, which has video only.
  func pieceSettings(_ path: String) -> MediaWriter.Settings {
    var video = transcode.video
    (video.tags, video.videoTags, video.chapters) = ([:], [:], [])
    (video.displayMatrix, video.projection) = (nil, [])
    var settings = video.settings()
    (settings.url, settings.format, settings.replacesFile) = (path, "matroska", true)
    // Two machines that render the same chunk produce the same name.
    settings.isReproducible = true
    // These apply to the film's container.
    settings.muxerOptions = []
    settings.timeOrigin = timeOrigin
    return settings
  }

  /// Returns the plan as stored in a work folder.
  /// - Throws: `EncodingError` for values that JSON cannot represent.
  public func json() throws -> Data { try SealedPlan(self).json() }

  /// One-line summary of the plan.
  public var summary: String {
    let frames = chunks.reduce(0) { $0 + $1.count }
    let pieces = chunks.count == 1 ? "1 piece" : "\(chunks.count) pieces"
    return transcode.summary + "; \(pieces), \(frames) frames"
  }

  /// Description of the plan, line by line.
  public var lines: [String] {
    let counts = chunks.map(\.count)
    let (minimum, maximum) = (counts.min() ?? 0, counts.max() ?? 0)
    let frames = minimum == maximum ? "\(maximum)" : "\(minimum) to \(maximum)"
    return transcode.lines + ["pieces: \(chunks.count), of \(frames) frames"]
  }
}

extension FilmPlan: StoredPlan {
  /// Maximum number of frames: no film is longer, and larger sums may overflow.
  private static let maximumFrames = 1_000_000_000

  /// The chunks are contiguous, and the transcode is valid.
  package var isSound: Bool {
    guard 1...FilmRequest.maximumChunks ~= chunks.count, FilmRequest.possibleTries ~= maximumTries,
      inputTimeBase.numerator > 0, inputTimeBase.denominator > 0,
      chunks.allSatisfy({ 0...Self.maximumFrames ~= $0.first && 1...Self.maximumFrames ~= $0.count }),
      zip(chunks, chunks.dropFirst()).allSatisfy({ $0.first + $0.count == $1.first && $0.start < $1.start })
    else { return false }
    let times = [chunks[0].start, chunks[chunks.count - 1].start, end ?? 0]
    guard times.allSatisfy({ FrameTime.possible ~= $0 }), end.map({ $0 > chunks[chunks.count - 1].start }) ?? true
    else { return false }
    return transcode.isSound
  }
}

/// Versions of the tools that render and encode: other versions may produce different frames.
public struct ToolVersions: Sendable, Hashable, Codable {
  /// Versions by tool: "headroom", "FFmpeg", "libx265".
  public let versions: [String: String]

  package init(_ versions: [String: String]) { self.versions = versions }

  /// The versions in this process.
  /// - Parameter encoder: FFmpeg's name of the encoder.
  init(encoder: String?) {
    var versions = ["headroom": Program.name, "FFmpeg": FFmpegVersion.libraries]
    if let encoder, encoder.hasPrefix("lib") { versions[encoder] = Self.library(of: encoder) }
    self.versions = versions
  }

  /// File names of encoder libraries, which contain the version; not every library reports it.
  private static let files: [String: String] = [
    "libx264": "libx264.so", "libx265": "libx265.so", "libsvtav1": "libSvtAv1Enc.so", "libaom-av1": "libaom.so",
    "libvpx-vp9": "libvpx.so",
  ]

  /// Returns the name of an encoder's library as loaded by this process.
  private static func library(of encoder: String) -> String {
    guard let name = files[encoder], let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else {
      return "built in"
    }
    for line in maps.split(separator: "\n") {
      guard let path = line.split(separator: " ").last, let slash = path.lastIndex(of: "/") else { continue }
      let file = path[path.index(after: slash)...]
      if file.hasPrefix(name) { return String(file) }
    }
    return "built in"
  }

  /// Returns the first difference: the tool, this version, the other.
  func difference(from other: ToolVersions) -> (tool: String, own: String, other: String)? {
    for tool in Set(versions.keys).union(other.versions.keys).sorted() where versions[tool] != other.versions[tool] {
      return (tool, versions[tool] ?? "none", other.versions[tool] ?? "none")
    }
    return nil
  }
}
