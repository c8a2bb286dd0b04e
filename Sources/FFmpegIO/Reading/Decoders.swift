internal import CFFmpeg

/// The decoders of this FFmpeg.
public enum Decoders {
  /// FFmpeg's name of the decoder that is used for a codec, by FFmpeg's name of the codec; nil where there is none.
  public static func decoder(for codec: String) -> String? {
    FFmpegLog.prepare()
    guard let descriptor = unsafe avcodec_descriptor_get_by_name(codec) else { return nil }
    return unsafe avcodec_find_decoder(descriptor.pointee.id).flatMap { unsafe text($0.pointee.name) }
  }
}
