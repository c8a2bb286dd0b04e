internal import CFFmpeg
internal import Frames
internal import Media

/// Everything a writer keeps open: the frame encoder, and the file with its streams.
@safe
final class WriterOutput {
  // @safe: the packet does not leave this module, and is freed with this object.
  let encoder: Encoder
  let streams: OutputStreams
  var timeline: Timeline
  let packet: UnsafeMutablePointer<AVPacket>

  var muxer: Muxer { streams.muxer }

  /// Adds every stream and writes the header.
  init(_ encoder: Encoder, _ muxer: Muxer, _ settings: MediaWriter.Settings) throws(FFmpegError) {
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
    self.encoder = encoder
    timeline = Timeline(
      timeBase: unsafe encoder.context.pointee.time_base,
      keepsTimes: try MediaWriter.keepsTimes(url: settings.url, format: settings.format), origin: settings.gridOrigin)
    streams = try OutputStreams(muxer, settings) { () throws(FFmpegError) in try muxer.add(encoder, settings) }
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
  }
}
