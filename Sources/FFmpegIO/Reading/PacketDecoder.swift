internal import CFFmpeg
public import Frames
internal import Media

/// Decodes coded video that comes without a container, such as the buffers of a capture device.
///
/// Colour, HDR metadata, damage marks and layouts are as from a `MediaReader` of a file with the same packets. Frames
/// do not wait for later ones, unless the stream reorders them. Calls block: keep them off Swift's cooperative pool.
@safe
public final class PacketDecoder: @unchecked Sendable {
  // @unchecked: one thread at a time uses a decoder.
  // @safe: the pointer does not leave this object, and is freed with it.

  /// The contents of the packets.
  public enum Codec: String, Sendable, Hashable, Codable, CaseIterable {
    /// One JPEG picture per packet; if Huffman tables are missing, as from many cameras, the standard's apply.
    case mjpeg
    /// One access unit per packet, as a byte stream with start codes (ITU-T H.264, annex B).
    case h264
    /// The same for HEVC (ITU-T H.265, annex B).
    case hevc

    fileprivate var id: AVCodecID {
      switch self {
      case .mjpeg: AV_CODEC_ID_MJPEG
      case .h264: AV_CODEC_ID_H264
      case .hevc: AV_CODEC_ID_HEVC
      }
    }
  }

  /// More than a decoder may hold back for reordering, even if each field has a separate packet.
  private static let capacity: Int64 = 64
  /// Consecutive errors after which a decoder is considered stuck and gets the next packet.
  private static let damageLimit = 64

  private let decoder: Decoder
  private let wrapper: FrameWrapper
  private let packet: UnsafeMutablePointer<AVPacket>
  private var packetMetadata: PacketMetadataReader
  private var start: DecodingStart
  /// Number of the latest packet.
  private var number: Int64 = 0
  /// Times of the latest packets, by number.
  private var times: [Int64: FrameTime] = [:]

  /// A decoder before the first packet.
  /// - Parameters:
  ///   - codec: The contents of the packets.
  ///   - name: Name of the source in errors, such as the path of a device.
  ///   - threads: Threads of the decoder, which share the slices of one picture; 0: one per core.
  ///   - maxPixels: Samples of one picture, width times height; larger ones count as damage. More than twice 8K unless
  ///     specified.
  /// - Throws: `FFmpegError` if the decoder is missing, or the system is out of memory or threads.
  public init(
    codec: Codec, name: String = "live video", threads: Int = 0, maxPixels: Int = 8192 * 8192
  ) throws(FFmpegError) {
    FFmpegLog.prepare()
    let parameters = try CodecParameters(codec.id)
    decoder = try unsafe Decoder(
      parameters.pointer, timeBase: AVRational(num: 1, den: 1), threads: threads, maxPixels: maxPixels,
      isLowDelay: true, path: name)
    let video = VideoStreamInfo(
      index: 0, size: Size(width: 0, height: 0), color: ColorTags(), timeBase: Rational(1, 1), metadata: HDRMetadata())
    wrapper = FrameWrapper(video: video, png: nil, isOfPictures: false, path: name)
    packetMetadata = unsafe PacketMetadataReader(parameters.pointer.pointee)
    start = unsafe DecodingStart(parameters.pointer.pointee)
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
  }

  deinit { unsafe release(packet, av_packet_free) }

  /// Decodes a packet.
  /// - Parameters:
  ///   - data: A picture or access unit; undecodable data is skipped.
  ///   - time: Capture time, which becomes the frame's time.
  /// - Returns: The complete frames, in presentation order; damaged ones are marked. None before the first key frame.
  /// - Throws: `FFmpegError` if the system is out of memory, or intact pictures have samples that cannot be converted
  ///   to a supported layout.
  public func decode(_ data: RawSpan, at time: FrameTime) throws(FFmpegError) -> [CodedFrame] {
    // An empty packet would signal the end of the stream.
    if data.isEmpty { return [] }
    try unsafe fill(packet, with: data)
    defer { unsafe av_packet_unref(packet) }
    number += 1
    times[number] = time
    times[number - Self.capacity] = nil
    unsafe packet.pointee.pts = number
    guard unsafe start.reaches(packet.pointee) else { return [] }
    unsafe packetMetadata.read(packet.pointee, number: decoder.nextPacket)
    _ = unsafe decoder.send(packet)
    return try receive(latest: time)
  }

  private func receive(latest time: FrameTime) throws(FFmpegError) -> [CodedFrame] {
    var frames: [CodedFrame] = []
    var damageInRow = 0
    while damageInRow <= Self.damageLimit {
      switch try decoder.receive() {
      case .picture(let picture):
        damageInRow = 0
        let source = unsafe known(picture.frame.pointee.pts) ?? number
        picture.messages = packetMetadata.take(for: picture)
        do throws(FFmpegError) {
          frames.append(try wrapper.wrap(picture, at: times[source] ?? time))
        } catch {
          // Damaged headers may state samples that were never coded.
          if error == .outOfMemory || !picture.isDamaged { throw error }
        }
      case .damaged: damageInRow += 1
      case .needsInput, .ended: return frames
      }
    }
    return frames
  }
}
