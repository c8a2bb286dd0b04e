internal import CFFmpeg
public import Frames
public import Media

/// The pictures of an input in presentation order, found without decoding; used to cut a film into chunks.
///
/// The times match the frames of `MediaReader`, because both read the same packets with the same corrected clock.
/// Packets that an edit list hides, packets without a separate picture, and pictures before the first decodable one are
/// left out. Packet contents are not checked: damaged packets count as pictures. About 24 bytes per picture are kept.
public struct PictureIndex: Sendable {
  /// Where decoding can begin.
  public enum Access: UInt8, Sendable, Hashable, Codable {
    /// A coded video sequence: nothing before it is needed.
    case sequence
    /// A group of pictures in a sequence; pictures shown before it but stored after it need the previous group.
    case group
  }

  /// A picture.
  public struct Picture: Sendable, Hashable {
    /// Presentation time in units of the stream's time base.
    public let presentation: Int64
    /// Duration in the same units; 0 if the container does not state it.
    public let duration: Int64
    /// The access point at this picture; nil if decoding cannot begin here.
    public let access: Access?
    /// Whether a field that is coded as a picture is a top field; nil for frames.
    fileprivate var isTop: Bool?
  }

  /// Progress of reading.
  public struct Progress: Sendable, Hashable {
    /// Pictures so far.
    public let pictures: Int
    /// Seconds of the input's clock.
    public let seconds: Double
  }

  /// In order of presentation.
  public private(set) var pictures: [Picture]
  /// Index of the stream in the file.
  public let stream: Int
  /// Length in seconds of one unit of the times.
  public private(set) var timeBase: Rational
  /// Pictures without a presentation time. They are listed by decoding time, which may differ from the frame's time.
  public let untimed: Int
  /// Whether some pictures are coded as two fields with a packet each; both form one entry.
  public let hasFieldPackets: Bool
  /// Whether some packets carry HDR10+ or ST 2094-50.
  public let hasDynamicMetadata: Bool
  /// Clock discontinuities: the times before and after one are not comparable, so seeking by them fails.
  public let clockJumps: Int
  /// Packets that the container marks as damaged, and failed reads: pictures are missing.
  public let errors: Int
  /// Whether the file is truncated.
  public let endsEarly: Bool

  /// Packets between two calls of `proceed`.
  private static let interval = 256
  /// Maximum number of pictures in an input: nine days at 25 frames a second.
  private static let limit = 20_000_000

  /// Reads an input to its end.
  /// - Parameters:
  ///   - url: As for `MediaReader`.
  ///   - format: FFmpeg's name of the container; nil: detected from the content.
  ///   - videoIndex: Index of the stream; nil: FFmpeg's best choice.
  ///   - limits: Limits on what a file may demand.
  ///   - proceed: Called every few hundred packets; false ends reading.
  /// - Returns: nil if `proceed` ended it.
  /// - Throws: `FFmpegError` if the input cannot be opened or read a second time, has no video, no picture that can be
  ///   decoded, or more pictures than any film, or if the system cannot read on.
  public static func read(
    url: String, format: String? = nil, videoIndex: Int? = nil, limits: ReadLimits = ReadLimits(),
    proceed: (Progress) -> Bool = { _ in true }
  ) throws(FFmpegError) -> PictureIndex? {
    FFmpegLog.prepare()
    let policy = ProtocolPolicy(limits.protocols)
    let source = PictureStream.Source(
      location: try Location(input: url, policy), format: format, protocols: policy, video: videoIndex, threads: 1,
      maxPixels: limits.maxPixels)
    let stream = try PictureStream(source)
    guard stream.isRepeatable else {
      throw .failed(
        .seek, path: source.location.name, code: 0, message: "the input is a stream and cannot be read twice")
    }
    let first = try firstTime(source)
    return try PictureIndex(stream, from: first, proceed)
  }

  /// Time of the first picture that the decoder returns: it skips pictures that depend on data before the file.
  private static func firstTime(_ source: PictureStream.Source) throws(FFmpegError) -> Int64 {
    let stream = try PictureStream(source)
    while let step = try stream.next() {
      guard let picture = step.picture else { continue }
      return unsafe known(picture.frame.pointee.best_effort_timestamp) ?? known(picture.frame.pointee.pts) ?? .min
    }
    throw .nothingDecoded(path: source.location.name, packets: stream.packets, errors: stream.errors)
  }

  private init?(
    _ stream: PictureStream, from first: Int64, _ proceed: (Progress) -> Bool
  ) throws(FFmpegError) {
    var found: [Picture] = []
    var untimed = 0
    var packets = 0
    var isDynamic = false
    var damaged = 0
    guard let parameters = unsafe stream.stream.pointee.codecpar else { return nil }
    var shown = try unsafe ShownPackets(parameters)
    while try stream.readPacket() {
      defer { unsafe av_packet_unref(stream.packet) }
      guard unsafe Int(stream.packet.pointee.stream_index) == stream.index else { continue }
      stream.countUndecoded()
      packets += 1
      if unsafe stream.packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 { damaged += 1 }
      if packets % Self.interval == 0, !proceed(Progress(pictures: found.count, seconds: stream.lastTime)) {
        return nil
      }
      if !isDynamic { isDynamic = unsafe stream.packetMetadata.findsDynamicMetadata(in: stream.packet.pointee) }
      let kind = unsafe stream.accessPoints.kind(of: stream.packet.pointee)
      guard unsafe shown.isShown(stream.packet) else { continue }
      if unsafe known(stream.packet.pointee.pts) == nil { untimed += 1 }
      guard var picture = unsafe Picture(stream.packet, kind), picture.presentation >= first else { continue }
      if stream.weaver != nil { picture.isTop = unsafe shown.isTopField(stream.packet) }
      found.append(picture)
      if found.count > Self.limit {
        let message = "it has more than \(Self.limit) pictures: cut it into parts first"
        throw .failed(.read, path: stream.source.location.name, code: 0, message: message)
      }
    }
    // Sorting is stable: equal times stay in file order.
    found.sort { $0.presentation < $1.presentation }
    pictures = Self.woven(found)
    self.stream = stream.index
    timeBase = unsafe stream.stream.pointee.time_base.rational
    self.untimed = untimed
    hasDynamicMetadata = isDynamic
    hasFieldPackets = shown.hasFieldPackets || pictures.count < found.count
    clockJumps = stream.clock.jumps
    errors = stream.errors + damaged
    endsEarly = stream.endsEarly
  }
}

extension PictureIndex {
  /// The frames after weaving fields, as `FieldWeaver` does.
  private static func woven(_ pictures: [Picture]) -> [Picture] {
    var (pairing, frames) = (FieldPairing(), [Picture]())
    for picture in pictures {
      let field = picture.isTop.map {
        FieldPairing.Field(isTop: $0, time: picture.presentation, duration: picture.duration)
      }
      switch field.map({ pairing.place($0) }) {
      case .second:
        let first = frames.removeLast()
        let duration = first.duration / 2 &+ picture.duration
        frames.append(Picture(presentation: first.presentation, duration: duration, access: first.access))
      // The missing field is as long as the present one.
      case .first, .alone:
        let duration = picture.duration &* 2
        frames.append(Picture(presentation: picture.presentation, duration: duration, access: picture.access))
      case .early: break
      case nil:
        pairing.interrupt()
        frames.append(picture)
      }
    }
    return frames
  }

  /// The frames of a reader that deinterlaces, if all pictures are interlaced.
  public func deinterlaced(_ deinterlacing: Deinterlacing?) -> PictureIndex {
    guard deinterlacing == .field else { return self }
    var index = self
    index.timeBase = timeBase.halved
    index.pictures = pictures.indices.flatMap { place in
      let first = pictures[place]
      let next = place + 1 < pictures.count ? pictures[place + 1].presentation : first.presentation &+ first.duration
      return [(first.presentation &* 2, first.access), (first.presentation &+ next, nil)].map { time, access in
        Picture(presentation: time, duration: first.duration, access: access)
      }
    }
    return index
  }
}

extension PictureIndex.Picture {
  /// nil for a packet without timestamps.
  fileprivate init?(_ packet: UnsafePointer<AVPacket>, _ kind: AccessPoints.Kind?) {
    guard let time = unsafe known(packet.pointee.pts) ?? known(packet.pointee.dts) else { return nil }
    presentation = time
    duration = unsafe max(0, packet.pointee.duration)
    access =
      switch kind {
      case .sequence: .sequence
      case .group: .group
      case nil: nil
      }
  }
}
