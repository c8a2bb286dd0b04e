internal import CFFmpeg
internal import Frames

/// Packets of one stream, decoded: pictures in presentation order, damage counted and passed over.
@safe
final class PictureStream {
  // @safe: the stream belongs to `demuxer`, which this object keeps.

  /// What to open, so that it can be opened again.
  struct Source {
    let location: Location
    let format: String?
    let threads: Int
    let maxPixels: Int
  }

  /// Errors in a row, with neither a picture nor a packet between, after which a decoder is taken not to come on by
  /// itself: it gets the next packet, or is given up at the end.
  private static let damageLimit = 64

  let source: Source
  let demuxer: Demuxer
  let stream: UnsafeMutablePointer<AVStream>
  private let decoder: Decoder
  private let packet: UnsafeMutablePointer<AVPacket>
  /// What FFmpeg does not read of packets.
  private(set) var toneMaps: AdaptiveToneMapReader
  private var isDraining = false
  private var damageInRow = 0

  /// Packets that were read.
  private(set) var packets = 0
  /// Packets that were not decodable, and failed reads.
  private(set) var errors = 0

  init(_ source: Source) throws(FFmpegError) {
    self.source = source
    let path = source.location.name
    demuxer = try Demuxer(source.location, format: source.format)
    unsafe stream = try unsafe demuxer.bestVideoStream()
    guard let parameters = unsafe stream.pointee.codecpar else { throw .noVideoStream(path: path) }
    toneMaps = unsafe AdaptiveToneMapReader(parameters.pointee)
    decoder = try unsafe Decoder(stream, threads: source.threads, maxPixels: source.maxPixels, path: path)
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
    unsafe demuxer.select(stream)
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
  }

  /// The next picture; nil at the end.
  func next() throws(FFmpegError) -> Picture? {
    while true {
      switch try decoder.receive() {
      case .picture(let picture):
        damageInRow = 0
        picture.adaptiveToneMap = toneMaps.take(for: picture)
        return picture
      case .ended:
        return nil
      case .needsInput:
        if isDraining { return nil }
        try feed()
      case .damaged:
        errors += 1
        damageInRow += 1
        if damageInRow > Self.damageLimit {
          if isDraining { return nil }
          try feed()
        }
      }
    }
  }

  /// Gives the decoder the next packet, or the end.
  private func feed() throws(FFmpegError) {
    damageInRow = 0
    while true {
      let code = unsafe av_read_frame(demuxer.context, packet)
      if code == hr_error_again() {
        av_usleep(10_000)
        continue
      }
      if code == hr_error_no_memory() { throw .outOfMemory }
      guard code >= 0 else {
        // A read that fails in the middle ends the stream, as it does in ffmpeg: what came before is kept.
        if code != hr_error_eof() { errors += 1 }
        isDraining = true
        _ = unsafe decoder.send(nil)
        return
      }
      defer { unsafe av_packet_unref(packet) }
      guard unsafe packet.pointee.stream_index == stream.pointee.index else { continue }
      packets += 1
      unsafe toneMaps.read(packet.pointee)
      if unsafe !decoder.send(packet) { errors += 1 }
      return
    }
  }

  /// Goes to a packet at or before `timestamp`, in units of the stream's time base.
  /// - Returns: false when the container cannot.
  func seek(to timestamp: Int64) -> Bool {
    let index = unsafe stream.pointee.index
    guard unsafe avformat_seek_file(demuxer.context, index, .min, timestamp, timestamp, 0) >= 0 else { return false }
    decoder.flush()
    toneMaps.flush()
    isDraining = false
    damageInRow = 0
    return true
  }

  /// The input can be read again from its start.
  var isRepeatable: Bool { unsafe demuxer.context.pointee.pb?.pointee.seekable ?? 0 != 0 }

  /// Seeking by time means something in this container.
  var isSeekable: Bool {
    unsafe isRepeatable && (demuxer.context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_NOTIMESTAMPS == 0
  }
}
