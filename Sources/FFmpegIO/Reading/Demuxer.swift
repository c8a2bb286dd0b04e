internal import CFFmpeg
internal import Frames

/// The one owner of an `AVFormatContext` that is read.
@safe
final class Demuxer {
  // @safe: the pointers do not leave this module, and are freed with this object.
  let context: UnsafeMutablePointer<AVFormatContext>
  let location: Location
  /// What FFmpeg asks while it waits; it outlives the context.
  private let interruption: ReadInterruption
  private let pipe: PipeInput?
  /// What the header of a PNG file says.
  let png: PNGColor?

  /// - Parameter interruption: Ends reads that wait, once it is set.
  init(
    _ location: Location, format: String?, interruption: ReadInterruption = ReadInterruption()
  ) throws(FFmpegError) {
    self.location = location
    self.interruption = interruption
    if location.byteCount == 0 { throw .emptyFile(path: location.name) }
    let wanted = format ?? (location.isStandardStream ? "yuv4mpegpipe" : nil)
    var input: UnsafePointer<AVInputFormat>?
    if let wanted {
      guard let found = unsafe av_find_input_format(wanted) else { throw .unknownFormat(name: wanted) }
      unsafe input = unsafe UnsafePointer(found)
    }
    var opened = unsafe avformat_alloc_context()
    guard let prepared = unsafe opened else { throw .outOfMemory }
    unsafe prepared.pointee.interrupt_callback = unsafe interruption.callback
    pipe = try PipeInput(location, interruption)
    if let pipe { unsafe prepared.pointee.pb = unsafe pipe.context }
    let (code, lines) = FFmpegLog.listening { unsafe avformat_open_input(&opened, location.url, input, nil) }
    guard code >= 0, let context = unsafe opened else {
      throw .failure(.open, location.name, code, detail: lines)
    }
    unsafe self.context = unsafe context
    let (found, said) = FFmpegLog.listening { unsafe avformat_find_stream_info(context, nil) }
    if found < 0 { throw .failure(.readStreams, location.name, found, detail: said) }
    let isPNG = unsafe context.pointee.nb_streams == 1 && Self.isPNG(context.pointee.streams[0])
    png = isPNG ? PNGColor(location) : nil
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

  /// The stream of moving pictures at a place of the file, or else that which FFmpeg finds best; never a cover picture.
  func videoStream(_ index: Int?) throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    let candidates = unsafe streams.filter {
      unsafe $0.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
    if let index {
      guard let stream = unsafe candidates.first(where: { unsafe Int($0.pointee.index) == index }) else {
        throw .noVideoStream(path: location.name)
      }
      return unsafe stream
    }
    let best = unsafe av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    if let stream = unsafe candidates.first(where: { unsafe $0.pointee.index == best }) { return unsafe stream }
    guard let stream = unsafe candidates.first else { throw .noVideoStream(path: location.name) }
    return unsafe stream
  }

  /// Lets only the packets of these streams through.
  func select(_ indices: Set<Int>) {
    unsafe streams.forEach { stream in
      let isWanted = unsafe indices.contains(Int(stream.pointee.index))
      unsafe stream.pointee.discard = isWanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// The streams that a stream specifier of FFmpeg names ("a:1", "s:m:language:eng"; "" is all).
  /// - Throws: `FFmpegError.invalidSpecifier`.
  func streams(matching specifier: String) throws(FFmpegError) -> [Int] {
    let (codes, _) = FFmpegLog.listening {
      unsafe streams.map { unsafe avformat_match_stream_specifier(context, $0, specifier) }
    }
    if codes.contains(where: { $0 < 0 }) { throw .invalidSpecifier(specifier) }
    return codes.indices.filter { codes[$0] > 0 }
  }

  private static func isPNG(_ stream: UnsafePointer<AVStream>?) -> Bool {
    unsafe [AV_CODEC_ID_PNG, AV_CODEC_ID_APNG].contains(stream?.pointee.codecpar?.pointee.codec_id)
  }

  private var chapters: [Chapter] {
    guard let first = unsafe context.pointee.chapters else { return [] }
    return unsafe (0..<Int(context.pointee.nb_chapters)).compactMap { unsafe first[$0].map { unsafe Chapter($0) } }
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
      chapters: chapters, streams: unsafe streams.compactMap { unsafe StreamInfo(context, $0, png: png) })
  }
}
