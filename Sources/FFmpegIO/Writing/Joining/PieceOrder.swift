internal import CFFmpeg
internal import Frames

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
      guard let time = unsafe known(packets.packet.pointee.pts) else {
        throw .unfitPiece(path: path, what: "has a picture without a time")
      }
      if unsafe accessPoints.kind(of: packets.packet.pointee) == .sequence { sequence += 1 }
      let order = unsafe parser?.parse(packets.packet).order ?? 0
      if sequence == 0 { throw .unfitPiece(path: path, what: "begins without a key frame") }
      places.append(Place(number: Int32(places.count), time: time, sequence: sequence, order: order))
    }
    guard places.count == count else {
      throw .unfitPiece(path: path, what: "has \(places.count) pictures instead of \(count)")
    }
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
