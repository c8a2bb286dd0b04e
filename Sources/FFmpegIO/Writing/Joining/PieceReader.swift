internal import Bitstreams
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
    guard count > 0, times.durations.count == count, times.presentations.isIncreasing
    else { throw .unfitPiece(path: path, what: "has an inconsistent table of times") }
    let packets = try PiecePackets(path)
    let order = try PieceOrder(packets, count: count, path: path)
    stream = packets.stream
    guard Self.agree(order.times, stream.timeBase, times.presentations.values, timeBase)
    else { throw .unfitPiece(path: path, what: "has other times than its table") }
    (self.path, self.count) = (path, count)
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

/// A coded picture of a piece.
public struct CodedPicture: Sendable {
  /// The packet for the film.
  public let packet: Packet
  /// Presentation time in units of the film's time base.
  public let presentation: Int64
  /// Duration in the same units; 0 if unknown.
  public let duration: Int64
}

/// The presentation order of a piece's packets, from the rounded times in the file.
struct PieceOrder {
  /// Rank of each packet, in decoding order, among all pictures in presentation order.
  let ranks: [Int32]
  /// Number of pictures that must be decoded ahead of their time so that none is late.
  let reordering: Int
  /// The rounded times in presentation order.
  let times: [Int64]

  /// The sort key. Of pictures within the same millisecond, a picture of a later sequence is shown later, and within a
  /// sequence the headers of H.264 and HEVC state an order.
  private struct Place {
    let number: Int32
    let time: Int64
    let sequence: Int32
    let order: Int

    static func isBefore(_ a: Place, _ b: Place) -> Bool {
      (a.time, a.sequence, a.order, a.number) < (b.time, b.sequence, b.order, b.number)
    }
  }

  /// Reads all packets.
  /// - Parameter count: The required number of pictures.
  /// - Throws: `FFmpegError.unfitPiece` if the number differs, a time is missing, or the first picture depends on
  ///   another.
  init(_ packets: PiecePackets, count: Int, path: String) throws(FFmpegError) {
    let parameters = unsafe packets.stream.parameters
    let accessPoints = unsafe AccessPoints(parameters.pointee)
    let isOrdered = unsafe [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(parameters.pointee.codec_id)
    let parser = isOrdered ? try unsafe PacketParser(parameters) : nil
    var places: [Place] = []
    places.reserveCapacity(count)
    var sequence: Int32 = 0
    while try packets.read() {
      guard places.count < count else { throw .unfitPiece(path: path, what: "has more than \(count) pictures") }
      guard let time = unsafe known(packets.packet.pointee.pts)
      else { throw .unfitPiece(path: path, what: "has a picture without a time") }
      if unsafe accessPoints.kind(of: packets.packet.pointee) == .sequence { sequence += 1 }
      let order = unsafe parser?.parse(packets.packet).order ?? 0
      if sequence == 0 { throw .unfitPiece(path: path, what: "begins without a key frame") }
      places.append(Place(number: Int32(places.count), time: time, sequence: sequence, order: order))
    }
    guard places.count == count
    else { throw .unfitPiece(path: path, what: "has \(places.count) pictures instead of \(count)") }
    places.sort(by: Place.isBefore)
    var ranks = [Int32](repeating: 0, count: count)
    for (rank, place) in places.enumerated() { ranks[Int(place.number)] = Int32(rank) }
    let late = ranks.enumerated().map { $0.offset - Int($0.element) }.max() ?? 0
    if late > DecodingTimes.largestReordering {
      throw .unfitPiece(path: path, what: "holds a picture back by \(late) others")
    }
    self.ranks = ranks
    times = places.map(\.time)
    // Encoders delay all packets by their maximum reordering, whether they use it or not.
    let stated = unsafe Int(parameters.pointee.video_delay)
    reordering = max(late, min(max(stated, 0), DecodingTimes.largestReordering))
  }
}

/// The packets of a piece of a film: a Matroska file with one stream of pictures.
@safe
final class PiecePackets {
  // @safe: the packet and the stream do not leave this module; they are freed with this object and its demuxer.
  let stream: StreamCopy
  let packet: UnsafeMutablePointer<AVPacket>
  private let demuxer: Demuxer
  private let syntax: PacketSyntax?

  init(_ path: String) throws(FFmpegError) {
    demuxer = try Demuxer(Location(input: path, ProtocolPolicy()), format: "matroska")
    let video = try unsafe demuxer.videoStream(nil)
    guard unsafe demuxer.streams.count == 1 else { throw .unfitPiece(path: path, what: "has more than one stream") }
    stream = try unsafe StreamCopy(video)
    syntax = unsafe PacketSyntax(stream.parameters.pointee)
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
  }

  deinit { unsafe release(packet, av_packet_free) }

  /// Reads the next packet in decoding order; false at the end.
  func read() throws(FFmpegError) -> Bool {
    unsafe av_packet_unref(packet)
    let (code, lines) = FFmpegLog.listening { unsafe av_read_frame(demuxer.context, packet) }
    if code >= 0 {
      if unsafe isDisposable(packet.pointee) { unsafe packet.pointee.flags |= AV_PKT_FLAG_DISPOSABLE }
      return true
    }
    if code == hr_error_eof() { return false }
    throw .failure(.read, demuxer.location.name, code, detail: lines)
  }

  /// Whether no other picture depends on this one, which MP4 states and Matroska does not. In HEVC, such pictures have
  /// an even type below 16. Source: ISO/IEC 23008-2, table 7-1.
  private func isDisposable(_ packet: AVPacket) -> Bool {
    guard case .hevc(let framing) = syntax, let base = unsafe packet.data, unsafe packet.size > 0 else { return false }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size))
    let header = SEIMessages.Header.hevc
    var position = 0
    while let unit = NALUnits.next(in: bytes, from: &position, framing) {
      guard unit.count > header.length else { continue }
      let type = header.type(bytes[unit.lowerBound])
      if header.isPicture(type) { return type < 16 && type % 2 == 0 }
    }
    return false
  }
}
