internal import CFFmpeg
internal import Media

/// Reads the coded pictures of a piece: a Matroska file whose exact times are known, because the file rounds them.
public final class PieceReader {
  /// A coded picture.
  public struct CodedPicture {
    /// Its packet.
    public let packet: Packet
    /// When it is shown, and for how long, in the ticks of the known times.
    public let presentation, duration: Int64
  }

  /// The stream, with the configuration of its encoder.
  public let picture: StreamCopy
  /// Pictures that reordering holds back at most.
  public let reordering: Int
  /// The piece can be decoded from its first packet on.
  public let beginsWithKeyFrame: Bool
  /// Number of coded pictures.
  public let packetCount: Int

  /// Presentation times in presentation order, in the ticks of the known times.
  public var presentations: [Int64] { times.values }

  private let stream: PictureStream
  private let times: CodedTimes
  private let durations: CodedTimes
  /// Places in presentation order, in decoding order.
  private let ranks: [Int]
  private var index = 0

  /// - Parameters:
  ///   - url: The piece.
  ///   - times: Exact presentation times, in presentation order.
  ///   - durations: Durations in the same order.
  /// - Throws: `FFmpegError` if it cannot be read.
  public init(url: String, times: CodedTimes, durations: CodedTimes) throws(FFmpegError) {
    FFmpegLog.prepare()
    (self.times, self.durations) = (times, durations)
    let source = PictureStream.Source(
      location: try Location(input: url, ProtocolPolicy([])), format: "matroska", video: nil, threads: 1,
      maxPixels: .max)
    var (rounded, startsWithKey): ([Int64], Bool) = ([], false)
    let all = try PictureStream(source)
    while try all.readPacket() {
      defer { unsafe av_packet_unref(all.packet) }
      guard unsafe Int(all.packet.pointee.stream_index) == all.index else { continue }
      if rounded.isEmpty { startsWithKey = unsafe all.packet.pointee.flags & AV_PKT_FLAG_KEY != 0 }
      rounded.append(unsafe known(all.packet.pointee.pts) ?? known(all.packet.pointee.dts) ?? 0)
    }
    (packetCount, beginsWithKeyFrame) = (rounded.count, startsWithKey)
    var ranks = [Int](repeating: 0, count: rounded.count)
    for (rank, place) in rounded.indices.sorted(by: { (rounded[$0], $0) < (rounded[$1], $1) }).enumerated() {
      ranks[place] = rank
    }
    self.ranks = ranks
    stream = try PictureStream(source)
    picture = try unsafe StreamCopy(stream.stream)
    // What the configuration allows, as the encoder delays every picture by that.
    let stated = unsafe Int(max(0, min(picture.parameters.pointee.video_delay, 16)))
    reordering = ranks.enumerated().reduce(stated) { max($0, $1.offset - $1.element) }
  }

  /// The next coded picture in decoding order; nil at the end.
  /// - Throws: `FFmpegError` if the piece cannot be read, or has other pictures than the known times.
  public func next() throws(FFmpegError) -> CodedPicture? {
    while try stream.readPacket() {
      defer { unsafe av_packet_unref(stream.packet) }
      guard unsafe Int(stream.packet.pointee.stream_index) == stream.index else { continue }
      guard index < ranks.count, times.values.indices.contains(ranks[index]),
        durations.values.indices.contains(ranks[index])
      else { throw .endsEarly(path: stream.source.location.name, seconds: 0) }
      let rank = ranks[index]
      index += 1
      return CodedPicture(
        packet: try unsafe Packet(moving: stream.packet, of: picture), presentation: times.values[rank],
        duration: durations.values[rank])
    }
    return nil
  }
}
