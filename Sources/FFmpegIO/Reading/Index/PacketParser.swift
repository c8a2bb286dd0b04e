internal import CFFmpeg

/// FFmpeg's parser of whole packets: reads the structure and order of pictures from their headers.
@safe
final class PacketParser {
  // @safe: the pointers do not leave this object, and are freed with it.
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let parser: UnsafeMutablePointer<AVCodecParserContext>

  /// - Returns: nil if FFmpeg has no parser for the codec.
  init?(_ parameters: UnsafePointer<AVCodecParameters>) throws(FFmpegError) {
    guard let parser = unsafe av_parser_init(Int32(bitPattern: parameters.pointee.codec_id.rawValue)) else {
      return nil
    }
    guard let context = unsafe avcodec_alloc_context3(nil) else {
      unsafe av_parser_close(parser)
      throw .outOfMemory
    }
    unsafe self.parser = unsafe parser
    unsafe self.context = unsafe context
    unsafe parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    if unsafe avcodec_parameters_to_context(context, parameters) < 0 { throw .outOfMemory }
  }

  deinit {
    unsafe av_parser_close(parser)
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// Reads the next packet, in file order.
  /// - Returns: Whether it is a frame or which field its first slice belongs to, and its output position since the last
  ///   picture that began a sequence.
  func parse(_ packet: UnsafePointer<AVPacket>) -> (structure: AVPictureStructure, order: Int) {
    var output: UnsafeMutablePointer<UInt8>?
    var size: Int32 = 0
    _ = unsafe av_parser_parse2(
      parser, context, &output, &size, packet.pointee.data, packet.pointee.size, packet.pointee.pts,
      packet.pointee.dts, packet.pointee.pos)
    return unsafe (parser.pointee.picture_structure, Int(parser.pointee.output_picture_number))
  }
}
