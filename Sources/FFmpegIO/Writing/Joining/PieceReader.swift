internal import CFFmpeg
public import Frames

/// Reads the coded pictures of a piece of a film with their exact times.
///
/// Opening reads the whole file once to determine the order of the pictures, then closes it until the first picture is
/// read, so that readers of all pieces can exist at once.
public struct PieceReader {
  /// The parameters of the pictures, for `MediaJoiner`.
  public let stream: StreamCopy
  /// Number of pictures.
  public let count: Int
  /// Number of pictures that must be decoded ahead of their time so that none is late, or as the coded stream states.
  public let reordering: Int
  /// Times of the pictures in presentation order.
  public let times: PieceTimes

  private let path: String
  private let ranks: [Int32]
  private var opened: Opened?

  /// The piece while it is being read.
  private struct Opened {
    let packets: PiecePackets
    let presentations: [Int64]
    let durations: [Int64]
    var number = 0
  }

  /// Reads through a piece.
  /// - Parameters:
  ///   - path: A Matroska file with one stream of pictures, as `MediaWriter` writes it.
  ///   - times: The value of `MediaWriter.pieceTimes`.
  ///   - timeBase: Length in seconds of one unit of the times.
  ///   - previous: Presentation time of the previous piece's last frame. Frames that are not later are moved after it,
  ///     as in a single run.
  /// - Throws: `FFmpegError.unfitPiece` if the file and the times do not match, or the first picture is not a key
  ///   frame; other errors if it cannot be read.
  public init(
    path: String, times: PieceTimes, timeBase: Rational, after previous: Int64? = nil
  ) throws(FFmpegError) {
    FFmpegLog.prepare()
    let count = times.presentations.count
    guard count > 0, times.durations.count == count, times.presentations.isIncreasing else {
      throw .unfitPiece(path: path, what: "has an inconsistent table of times")
    }
    let packets = try PiecePackets(path)
    let order = try PieceOrder(packets, count: count, path: path)
    stream = packets.stream
    guard Self.agree(order.times, stream.timeBase, times.presentations.values, timeBase) else {
      throw .unfitPiece(path: path, what: "has other times than its table")
    }
    self.path = path
    self.count = count
    self.times = PieceTimes(
      presentations: times.presentations.increasing(after: previous), durations: times.durations)
    ranks = order.ranks
    reordering = order.reordering
  }

  /// Whether times differ only by rounding and a constant offset.
  private static func agree(_ rounded: [Int64], _ unit: Rational, _ exact: [Int64], _ timeBase: Rational) -> Bool {
    guard let first = rounded.first, let start = exact.first else { return rounded.count == exact.count }
    let offsets = zip(rounded, exact).map { Double($0 &- first) * unit.value - Double($1 &- start) * timeBase.value }
    // Both ends of each interval are rounded, by half a unit at most.
    return offsets.allSatisfy { abs($0) < 1.01 * unit.value }
  }

  /// The next picture in decoding order; nil at the end.
  /// - Throws: `FFmpegError` if the file has changed or cannot be read.
  public mutating func next() throws(FFmpegError) -> CodedPicture? {
    var opened =
      if let opened { opened } else {
        Opened(
          packets: try PiecePackets(path), presentations: times.presentations.values, durations: times.durations.values)
      }
    guard try opened.packets.read() else {
      self.opened = nil
      if opened.number < count { throw .unfitPiece(path: path, what: "has changed while it was read") }
      return nil
    }
    guard opened.number < count else { throw .unfitPiece(path: path, what: "has changed while it was read") }
    let rank = Int(ranks[opened.number])
    opened.number += 1
    self.opened = opened
    return CodedPicture(
      packet: try unsafe Packet(moving: opened.packets.packet, of: stream), presentation: opened.presentations[rank],
      duration: opened.durations[rank])
  }

  /// Whether packets of two pieces can follow each other in one stream: they have the same codec, profile, size, format
  /// and parameter sets. Messages about the encoder may differ.
  public static func sameConfiguration(_ a: StreamCopy, _ b: StreamCopy) -> Bool { a.isConfigured(as: b) }
}
