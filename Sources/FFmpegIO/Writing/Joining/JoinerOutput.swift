internal import Bitstreams
internal import CFFmpeg
internal import Frames
internal import Media

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
    guard let timeBase = settings.timeBase.native else {
      throw .unfitPiece(path: settings.url, what: "has no time base")
    }
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
