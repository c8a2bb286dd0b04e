internal import CFFmpeg
internal import Frames

/// The one owner of an `AVFormatContext` that is read.
@safe
final class Demuxer {
  // @safe: the pointers do not leave this module, and are freed with this object.
  let context: UnsafeMutablePointer<AVFormatContext>
  let location: Location

  init(_ location: Location, format: String?) throws(FFmpegError) {
    self.location = location
    if location.byteCount == 0 { throw .emptyFile(path: location.name) }
    let wanted = format ?? (location.isStandardStream ? "yuv4mpegpipe" : nil)
    var input: UnsafePointer<AVInputFormat>?
    if let wanted {
      guard let found = unsafe av_find_input_format(wanted) else { throw .unknownFormat(name: wanted) }
      unsafe input = unsafe UnsafePointer(found)
    }
    var opened: UnsafeMutablePointer<AVFormatContext>?
    let (code, lines) = FFmpegLog.listening { unsafe avformat_open_input(&opened, location.url, input, nil) }
    guard code >= 0, let context = unsafe opened else {
      throw .failure(.open, location.name, code, detail: lines)
    }
    unsafe self.context = unsafe context
    let (found, said) = FFmpegLog.listening { unsafe avformat_find_stream_info(context, nil) }
    if found < 0 { throw .failure(.readStreams, location.name, found, detail: said) }
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe avformat_close_input(&context)
  }

  /// The streams in file order.
  var streams: [UnsafeMutablePointer<AVStream>] {
    guard let first = unsafe context.pointee.streams else { return unsafe [] }
    return unsafe (0..<Int(context.pointee.nb_streams)).compactMap { unsafe first[$0] }
  }

  /// The stream of moving pictures that FFmpeg finds best; never a cover picture.
  func bestVideoStream() throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    let candidates = unsafe streams.filter {
      unsafe $0.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
    let best = unsafe av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    if let stream = unsafe candidates.first(where: { unsafe $0.pointee.index == best }) { return unsafe stream }
    guard let stream = unsafe candidates.first else { throw .noVideoStream(path: location.name) }
    return unsafe stream
  }

  /// Lets only the packets of `stream` through.
  func select(_ stream: UnsafeMutablePointer<AVStream>) {
    unsafe streams.filter { unsafe $0 != stream }.forEach { unsafe $0.pointee.discard = AVDISCARD_ALL }
  }

  func info() -> MediaInfo {
    let format = unsafe context.pointee.iformat
    let microseconds = Double(AV_TIME_BASE)
    return MediaInfo(
      url: location.name, formatName: unsafe text(format?.pointee.name) ?? "unknown",
      formatLongName: unsafe text(format?.pointee.long_name) ?? "unknown",
      duration: unsafe known(context.pointee.duration).map { Double($0) / microseconds },
      startTime: unsafe known(context.pointee.start_time).map { Double($0) / microseconds },
      bitRate: unsafe context.pointee.bit_rate > 0 ? Int(context.pointee.bit_rate) : nil,
      byteCount: location.byteCount, tags: unsafe entries(context.pointee.metadata),
      streams: unsafe streams.compactMap { unsafe StreamInfo(context, $0) })
  }
}
