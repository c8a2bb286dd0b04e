internal import Bitstreams
internal import CFFmpeg
internal import Frames
public import Media

/// Joins the coded pictures of pieces to one file, along with streams of a source.
///
/// The file is what a `MediaWriter` with the same settings would have made of all frames in a single run, as far as
/// packets, times and headers go. It appears under its name only when `finish()` has succeeded. Calls block: keep them
/// off Swift's cooperative pool.
///
/// ```swift
/// var decoding = DecodingTimes(reordering: pieces.map(\.reordering).max() ?? 0)
/// for piece in pieces { decoding.append(piece.times.presentations) }
/// for piece in pieces {
///   var piece = piece
///   while let picture = try piece.next(), let time = decoding.next() {
///     try joiner.write(
///       picture.packet, presentation: picture.presentation, decoding: time, duration: picture.duration)
///   }
/// }
/// ```
public final class MediaJoiner: Sendable {
  /// The output and its settings.
  public let settings: MediaWriter.Settings
  private let output: OpenOutput<JoinerOutput>

  /// Opens the file, and writes the header.
  /// - Parameters:
  ///   - settings: Settings of the film, with the encoder of the pieces and their `timeOrigin`.
  ///   - piece: The pictures of the first piece. The others must have the same configuration; see
  ///     `PieceReader.sameConfiguration`.
  ///   - reordering: Pictures that are held back, 0 to 16: the greatest `PieceReader.reordering` of all pieces.
  /// - Throws: `FFmpegError` that states which setting is unsupported; nothing is left behind.
  public init(_ settings: MediaWriter.Settings, like piece: StreamCopy, reordering: Int) throws(FFmpegError) {
    FFmpegLog.prepare()
    self.settings = settings
    let format = try unsafe MediaWriter.muxer(url: settings.url, format: settings.format)
    let muxer = try unsafe Muxer(format, url: settings.url, replaces: settings.replacesFile, reading: settings.inputs)
    output = OpenOutput(
      settings,
      try JoinerOutput(
        piece, reordering: reordering, muxer, settings,
        wantsGlobalHeader: unsafe format.pointee.flags & AVFMT_GLOBALHEADER != 0))
  }

  /// Writes the next coded picture, in decoding order.
  /// - Parameters:
  ///   - packet: From a `PieceReader`; it is empty afterwards.
  ///   - presentation: Presentation time in units of the settings' time base, without the offset of `timeOrigin`, which
  ///     is added here.
  ///   - decoding: Decoding time in the same units; it increases.
  ///   - duration: Duration in the same units; 0 if unknown.
  /// - Throws: `FFmpegError` if it cannot be written.
  public func write(
    _ packet: Packet, presentation: Int64, decoding: Int64, duration: Int64
  ) throws(FFmpegError) {
    try output.use { output throws(FFmpegError) in
      try unsafe output.write(
        packet.packet, presentation: presentation, decoding: decoding, duration: duration)
    }
  }

  /// Writes packets of the streams that are copied or re-encoded; others are dropped.
  /// - Throws: `FFmpegError` if they cannot be written.
  public func pass(_ batch: PacketBatch) throws(FFmpegError) { try output.pass(batch) }

  /// Completes the file, reads it back and renames it.
  /// - Returns: What the file is missing.
  /// - Throws: `FFmpegError`, `.notKept` if its pictures are missing or broken; the file is removed.
  @discardableResult
  public func finish() throws(FFmpegError) -> OutputLosses { try output.finish() }

  /// Closes and removes the incomplete file. Does nothing after `finish()`.
  public func cancel() { output.cancel() }

  /// Removes the unfinished file at once, regardless of other threads; for a process that is about to exit.
  public func discard() { output.discard() }

  /// Bytes written so far, for progress; the size of packets if the output is not a file.
  public var bytesWritten: Int { output.bytesWritten }

  /// Packets that were moved because their time did not increase.
  public var movedPackets: Int { output.report }
}

/// The open resources of a `MediaJoiner`.
final class JoinerOutput: PictureTrack {
  let streams: OutputStreams
  private let timeBase: AVRational
  private let remainder: FrameTime?
  private let filter: PacketFilter?
  private let packetMetadata: PacketMetadataReader
  /// Kinds of messages that the pieces were written with.
  private let kinds: Set<RegisteredMessage>

  /// Adds every stream and writes the header.
  init(
    _ piece: StreamCopy, reordering: Int, _ muxer: Muxer, _ settings: MediaWriter.Settings, wantsGlobalHeader: Bool
  ) throws(FFmpegError) {
    guard let timeBase = settings.timeBase.native
    else { throw .unfitPiece(path: settings.url, what: "has no time base") }
    self.timeBase = timeBase
    packetMetadata = unsafe PacketMetadataReader(piece.parameters.pointee)
    kinds = settings.copiesHDR10Plus ? [.hdr10Plus, .captions] : [.captions]
    remainder = settings.timeOrigin.map { Timeline.remainder(of: $0, timeBase) }
    let filter =
      wantsGlobalHeader ? nil : try unsafe PacketFilter(piece.parameters, timeBase: timeBase, path: settings.url)
    self.filter = filter
    let source = unsafe filter?.parameters ?? UnsafePointer(piece.parameters)
    streams = try unsafe OutputStreams(
      muxer, settings, wantsGlobalHeader: wantsGlobalHeader, timeBase: timeBase
    ) { parameters throws(FFmpegError) in
      if unsafe avcodec_parameters_copy(parameters, source) < 0 { throw .outOfMemory }
      unsafe settings.describe(parameters, encoder: settings.encoderName(forFormat: muxer.name) ?? "")
      unsafe parameters.pointee.video_delay = Int32(clamping: reordering)
      unsafe muxer.adapt(parameters)
    }
  }

  /// Number of packets whose time did not increase.
  var report: Int { streams.movedPackets }

  /// Writes a coded picture; the packet is empty afterwards.
  func write(
    _ packet: UnsafeMutablePointer<AVPacket>, presentation: Int64, decoding: Int64, duration: Int64
  ) throws(FFmpegError) {
    for kind in unsafe packetMetadata.kinds(in: packet.pointee).intersection(kinds) {
      streams.pictureMessages[kind, default: 0] += 1
    }
    unsafe packet.pointee.pts = presentation
    unsafe packet.pointee.dts = decoding
    unsafe packet.pointee.duration = duration
    try unsafe filter?.filter(packet)
    try unsafe streams.muxer.write(packet, to: streams.pictures, timeBase: timeBase, later: remainder)
  }

  func finishPictures() {}
}

extension MediaWriter.Settings {
  /// Sets the encoder's parameters from these settings, rather than from the container's description of the result.
  fileprivate func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>, encoder: String) {
    unsafe parameters.pointee.color_primaries = color.avPrimaries
    unsafe parameters.pointee.color_trc = color.avTransfer
    unsafe parameters.pointee.color_space = color.avMatrix
    unsafe parameters.pointee.color_range = color.avRange
    unsafe parameters.pointee.chroma_location =
      layout.components == .ycbcr420 ? color.avChromaLocation : AVCHROMA_LOC_UNSPECIFIED
    unsafe parameters.pointee.sample_aspect_ratio = sampleAspectRatio?.native ?? AVRational(num: 0, den: 1)
    unsafe parameters.pointee.field_order =
      switch Encoders.keepsFields(encoder) ? fieldOrder : nil {
      case .topFirst: AV_FIELD_TB
      case .bottomFirst: AV_FIELD_BT
      case nil: AV_FIELD_UNKNOWN
      }
  }
}

/// Moves parameter sets back into the packets, for containers that store none outside them.
@safe
final class PacketFilter {
  // @safe: the pointer does not leave this module, and is freed with this object.
  private let context: UnsafeMutablePointer<AVBSFContext>
  private let path: String

  /// FFmpeg's names of the filters, by codec. Other encoders' output is the same for all containers.
  private static func name(for codec: AVCodecID) -> String? {
    switch codec {
    case AV_CODEC_ID_H264: "h264_mp4toannexb"
    case AV_CODEC_ID_HEVC: "hevc_mp4toannexb"
    case AV_CODEC_ID_MPEG4: "dump_extra"
    default: nil
    }
  }

  /// nil if packets need no change.
  init?(_ parameters: UnsafePointer<AVCodecParameters>, timeBase: AVRational, path: String) throws(FFmpegError) {
    guard let name = unsafe Self.name(for: parameters.pointee.codec_id) else { return nil }
    var made: UnsafeMutablePointer<AVBSFContext>?
    guard let filter = unsafe av_bsf_get_by_name(name), unsafe av_bsf_alloc(filter, &made) >= 0,
      let context = unsafe made
    else { throw .outOfMemory }
    unsafe self.context = unsafe context
    self.path = path
    if unsafe avcodec_parameters_copy(context.pointee.par_in, parameters) < 0 { throw .outOfMemory }
    unsafe context.pointee.time_base_in = timeBase
    let (code, lines) = FFmpegLog.listening { unsafe av_bsf_init(context) }
    if code < 0 { throw .failure(.writeHeader, path, code, detail: lines) }
  }

  deinit { unsafe release(context, av_bsf_free) }

  /// Parameters of the filtered packets.
  var parameters: UnsafePointer<AVCodecParameters>? { unsafe UnsafePointer(context.pointee.par_out) }

  /// Replaces the contents of a packet.
  func filter(_ packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    let (code, lines) = FFmpegLog.listening {
      let sent = unsafe av_bsf_send_packet(context, packet)
      return unsafe sent < 0 ? sent : av_bsf_receive_packet(context, packet)
    }
    if code < 0 { throw .failure(.write, path, code, detail: lines) }
  }
}
