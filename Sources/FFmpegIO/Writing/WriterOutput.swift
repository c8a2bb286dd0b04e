internal import Bitstreams
internal import CFFmpeg
internal import Frames
internal import Media

/// The open resources of a `MediaWriter`: the frame encoder, its timeline, and the file.
@safe
final class WriterOutput: PictureTrack {
  // @safe: the packet does not leave this module, and is freed with this object.

  /// Information about the frames so far.
  struct Report {
    /// Frames and packets whose time did not increase.
    var moved = 0
    /// The maximum change in seconds of a frame's time.
    var largestShift = 0.0
    /// Exact times, if they are kept.
    var table: PieceTimes?
  }

  let encoder: Encoder
  let streams: OutputStreams
  private var timeline: Timeline
  private let packet: UnsafeMutablePointer<AVPacket>
  /// nil if the codec cannot carry messages.
  private var inserter: MessageInserter?

  /// Adds every stream and writes the header.
  init(
    _ encoder: Encoder, _ muxer: Muxer, _ settings: MediaWriter.Settings, wantsGlobalHeader: Bool
  ) throws(FFmpegError) {
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
    self.encoder = encoder
    let timeBase = unsafe encoder.context.pointee.time_base
    timeline = Timeline(
      timeBase: timeBase, origin: settings.timeOrigin,
      keepsTimes: try MediaWriter.keepsTimes(url: settings.url, format: settings.format),
      keepsTable: settings.timeOrigin != nil)
    streams = try unsafe OutputStreams(
      muxer, settings, wantsGlobalHeader: wantsGlobalHeader, timeBase: timeBase
    ) { parameters throws(FFmpegError) in
      let code = unsafe avcodec_parameters_from_context(parameters, encoder.context)
      if code < 0 { throw .failure(.writeHeader, settings.url, code) }
    }
    if let parameters = unsafe streams.pictures.stream.pointee.codecpar {
      inserter = unsafe MessageInserter(parameters.pointee)
    }
  }

  deinit { unsafe release(packet, av_packet_free) }

  var report: Report {
    Report(
      moved: timeline.moved + streams.movedPackets, largestShift: timeline.largestShift, table: timeline.table)
  }

  /// Encodes a picture, and writes the packets that are ready.
  func write(
    _ picture: Picture, at time: FrameTime, as role: MediaWriter.FrameRole, hdr10Plus: [UInt8]?, captions: [UInt8]
  ) throws(FFmpegError) {
    let (presentation, duration) = timeline.place(time, isShown: role != .ahead)
    if role != .ahead, inserter != nil {
      let captions = RegisteredMessage.messages(of: captions)
      inserter?.add((hdr10Plus.map { [$0] } ?? []) + captions, at: presentation)
      if hdr10Plus != nil { streams.pictureMessages[.hdr10Plus, default: 0] += 1 }
      if !captions.isEmpty { streams.pictureMessages[.captions, default: 0] += 1 }
    }
    if role == .lastShown { unsafe picture.frame.pointee.pict_type = AV_PICTURE_TYPE_P }
    unsafe picture.frame.pointee.pts = presentation
    unsafe hr_frame_set_duration(picture.frame, duration)
    try unsafe encoder.send(picture.frame)
    try drain()
  }

  func finishPictures() throws(FFmpegError) {
    try unsafe encoder.send(nil)
    try drain()
  }

  private func drain() throws(FFmpegError) {
    while try unsafe encoder.receive(into: packet) {
      let presentation = unsafe packet.pointee.pts
      unsafe packet.pointee.dts = timeline.takeDecodingTime(packet.pointee.dts, presentation: presentation)
      unsafe packet.pointee.duration = timeline.takeDuration(at: presentation)
      if timeline.isAhead(presentation) {
        unsafe av_packet_unref(packet)
        continue
      }
      try unsafe inserter?.insert(into: packet)
      try unsafe streams.muxer.write(
        packet, to: streams.pictures, timeBase: timeline.timeBase, later: timeline.remainder)
    }
  }
}
