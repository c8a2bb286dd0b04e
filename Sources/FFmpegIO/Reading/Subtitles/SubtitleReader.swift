internal import CFFmpeg
internal import Frames
public import Media

/// Reads all subtitles of a stream, which requires reading the whole file.
public struct SubtitleReader {
  /// Limits on the memory for subtitles.
  public struct Limits: Sendable, Hashable {
    /// Number of subtitles.
    public var count = 1_000_000
    /// Bytes of all text, or of all pictures as runs.
    public var bytes = 512 << 20
    /// Bytes of a single subtitle's text; as in ffmpeg.
    public var textBytes = 1 << 20
    /// Pixels of a canvas, or of a picture on it: 8K, as for decoded pictures.
    public var pixels = 8192 * 4352

    /// The defaults.
    public init() {}
  }

  private let demuxer: Demuxer
  private let index: Int
  private let limits: Limits

  /// - Parameters:
  ///   - url: A path, or a URL of an allowed protocol.
  ///   - index: Index of the stream.
  ///   - format: FFmpeg's name of the container; nil: detected from the content.
  ///   - protocols: Protocols allowed besides files.
  ///   - limits: Limits on the subtitles that are kept.
  /// - Throws: `FFmpegError` if it cannot be opened.
  public init(
    url: String, stream index: Int, format: String? = nil, protocols: [String] = [], limits: Limits = Limits()
  ) throws(FFmpegError) {
    FFmpegLog.prepare()
    let policy = ProtocolPolicy(protocols)
    demuxer = try Demuxer(Location(input: url, policy), format: format, protocols: policy)
    (self.index, self.limits) = (index, limits)
  }

  /// Reads to the end.
  /// - Parameters:
  ///   - offset: Seconds by which subtitles are moved.
  ///   - isStopped: Polled regularly; true ends reading.
  /// - Throws: `FFmpegError` if the stream does not contain subtitles, the system cannot read on, or the limits are
  ///   exceeded. Damage ends reading, as in a run over the same file.
  public func read(movedBy offset: Double = 0, isStopped: () -> Bool = { false }) throws(FFmpegError) -> SubtitleTrack {
    let path = demuxer.location.name
    guard let stream = unsafe demuxer.streams.first(where: { unsafe Int($0.pointee.index) == index }) else {
      throw .noSubtitles(path: path)
    }
    let decoder = try SubtitleDecoder(unsafe StreamCopy(stream), path: path, limits: limits, offset: offset)
    var clock = TimestampCorrector(isNeeded: demuxer.mayJump)
    demuxer.select([index])
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    defer {
      var unused: UnsafeMutablePointer<AVPacket>? = unsafe packet
      unsafe av_packet_free(&unused)
    }
    while !isStopped(), try unsafe read(into: packet, isStopped) {
      defer { unsafe av_packet_unref(packet) }
      if let stream = unsafe demuxer.context.pointee.streams[Int(packet.pointee.stream_index)] {
        unsafe clock.mend(packet, of: stream)
      }
      if unsafe Int(packet.pointee.stream_index) == index { try unsafe decoder.decode(packet) }
    }
    return decoder.track(fonts: fonts)
  }

  /// Reads the next packet.
  /// - Returns: false at the end.
  private func read(
    into packet: UnsafeMutablePointer<AVPacket>, _ isStopped: () -> Bool
  ) throws(FFmpegError) -> Bool {
    while !isStopped() {
      let code = unsafe av_read_frame(demuxer.context, packet)
      if code == hr_error_again() {
        av_usleep(10_000)
        continue
      }
      if code >= 0 { return true }
      let cause = demuxer.location.withoutBlame(code)
      if FFmpegError.isOfSystem(cause) || cause == hr_error_no_memory() {
        throw .failure(.read, demuxer.location.name, cause)
      }
      return false
    }
    return false
  }

  /// Fonts attached to the file.
  private var fonts: [SubtitleScript.Font] {
    unsafe demuxer.streams.compactMap { stream in
      guard let parameters = unsafe stream.pointee.codecpar, let data = unsafe parameters.pointee.extradata,
        unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT
      else { return nil }
      let tags = unsafe entries(stream.pointee.metadata)
      let name = tags["filename"] ?? "font"
      guard Self.isFont(mimeType: tags["mimetype"], name: name) else { return nil }
      let bytes = unsafe UnsafeBufferPointer(start: data, count: Int(parameters.pointee.extradata_size))
      return unsafe SubtitleScript.Font(name: name, bytes: [UInt8](bytes))
    }
  }

  /// Whether an attachment is a font; old files state "application/octet-stream".
  private static func isFont(mimeType: String?, name: String) -> Bool {
    let type = mimeType?.lowercased() ?? ""
    return type.contains("font") || type.contains("truetype") || type.contains("opentype")
      || [".ttf", ".otf", ".ttc", ".otc"].contains { name.lowercased().hasSuffix($0) }
  }
}
