internal import Farm
internal import Files
internal import FFmpegIO
internal import Frames
internal import Media
internal import Rendering
internal import Sessions

/// The frames of a chunk with their output times.
final class PieceSource: FrameSource, @unchecked Sendable {
  // @unchecked: only the reading thread uses the variables until the run is over.
  private let reader: MediaReader
  private let start: Int64
  private let end: Int64?
  private let every: Int
  /// Number of frames after the last that the encoder sees.
  private let ahead: Int
  private let zero: FrameTime?
  private var hash = ContentHash()
  /// Number of input frames.
  private(set) var count = 0
  private(set) var first: PieceRecord.Seam?
  /// The frame after the last, with which the next piece starts.
  private(set) var next: PieceRecord.Seam?
  /// Number of frames after the last.
  private var later = 0
  /// Time of the first frame after the film.
  private let limit: Int64?
  private var isOver = false

  init(_ reader: MediaReader, _ plan: FilmPlan, _ number: Int) {
    self.reader = reader
    ahead = plan.lookahead * plan.transcode.request.selection.every
    limit = plan.end
    (start, end) = (plan.chunks[number].start, plan.end(of: number))
    every = plan.transcode.request.selection.every
    zero = plan.transcode.selection.zero(plan.firstTime)
  }

  func interrupt() { reader.interrupt() }

  func read() throws -> StreamItem? {
    while !isOver, let frame = try reader.readFrame() {
      // A selection may skip the first frames of the input.
      if frame.time.presentation < start { continue }
      let isLater = end.map { frame.time.presentation >= $0 } ?? false
      if !isLater || next == nil {
        let own = frame.contentHash
        let seam = PieceRecord.Seam(time: frame.time.presentation, hash: own.text)
        if isLater { next = seam } else { first = first ?? seam }
        if !isLater { hash.add(own) }
      }
      if isLater, later >= ahead || limit.map({ frame.time.presentation >= $0 }) ?? false { break }
      // The next piece counts from its first frame.
      let place = isLater ? later : count
      if isLater { later += 1 } else { count += 1 }
      if place % every == 0 { return StreamItem(frame: zero.map { frame.at(frame.time.counted(from: $0)) } ?? frame) }
    }
    isOver = true
    return nil
  }

  /// Hash of all frames.
  var sourceHash: String { hash.text }
}
