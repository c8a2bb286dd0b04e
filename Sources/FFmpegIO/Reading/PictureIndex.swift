internal import CFFmpeg
internal import Media

/// The pictures of an input as its packets announce them, without decoding.
public struct PictureIndex: Sendable {
  /// A picture.
  public struct Picture: Sendable, Hashable {
    /// When it is shown, in units of the stream's time base.
    public let presentation: Int64
    /// Decoding can begin with it.
    public let isAccessPoint: Bool
  }

  /// In presentation order.
  public private(set) var pictures: [Picture] = []
  /// Packets without a presentation time.
  public private(set) var withoutTime = 0
  /// Some packets carry HDR10+ or ST 2094-50.
  public private(set) var hasDynamicMetadata = false

  /// Packets between two questions whether to go on.
  private static let interval = 256

  /// Reads all packets of a stream.
  /// - Parameters:
  ///   - url: A file.
  ///   - format: FFmpeg's name of the container; nil: detected from the content.
  ///   - videoIndex: Index of the stream.
  ///   - isCancelled: Asked now and then; true ends the call.
  /// - Returns: nil if it was cancelled.
  /// - Throws: `FFmpegError` if the input cannot be opened or read.
  public static func read(
    url: String, format: String? = nil, videoIndex: Int, isCancelled: () -> Bool = { false }
  ) throws(FFmpegError) -> PictureIndex? {
    FFmpegLog.prepare()
    let stream = try PictureStream(
      PictureStream.Source(
        location: Location(input: url, ProtocolPolicy([])), format: format, video: videoIndex, threads: 1,
        maxPixels: .max))
    var index = PictureIndex()
    var count = 0
    while try stream.readPacket() {
      defer { unsafe av_packet_unref(stream.packet) }
      count += 1
      if count % interval == 0, isCancelled() { return nil }
      if unsafe Int(stream.packet.pointee.stream_index) == stream.index {
        unsafe index.add(stream.packet.pointee, stream)
      }
    }
    index.pictures.sort { $0.presentation < $1.presentation }
    return index
  }

  private mutating func add(_ packet: AVPacket, _ stream: PictureStream) {
    if !hasDynamicMetadata { hasDynamicMetadata = unsafe stream.toneMaps.findsDynamicMetadata(in: packet) }
    // Edit lists leave pictures out that others refer to.
    if unsafe packet.flags & AV_PKT_FLAG_DISCARD != 0 { return }
    guard let time = unsafe known(packet.pts) else {
      withoutTime += 1
      return
    }
    pictures.append(Picture(presentation: time, isAccessPoint: unsafe stream.accessPoints.kind(of: packet) != nil))
  }
}
