internal import Bitstreams
internal import CFFmpeg
public import Frames

/// Encodes single pictures with an FFmpeg encoder; thread-safe.
public struct PictureEncoder: Sendable {
  private let name: String
  private let options: [String: String]
  /// Whether the encoder gets the picture's colour tags and metadata OBUs.
  private let isDescribed: Bool

  /// PNG of R'G'B' frames of 8 or 16 bits, without colour chunks.
  ///
  /// Prediction and effort are set to encode 2 million 16-bit pixels in a third of a second.
  public static let png = PictureEncoder(
    name: "png", options: ["pred": "paeth", "compression_level": "3"], isDescribed: false)

  /// One AV1 temporal unit of planar Y'CbCr frames, with a reduced still picture header.
  /// - Parameters:
  ///   - quality: 0...100.
  ///   - isLossless: Lossless, regardless of the quality.
  public static func av1(quality: Int, isLossless: Bool) -> PictureEncoder {
    let quantizer = isLossless ? 0 : (100 - min(max(quality, 0), 100)) * 63 / 100
    var options = [
      "usage": "allintra", "still-picture": "1", "cpu-used": "6", "row-mt": "1", "crf": "\(quantizer)",
    ]
    if isLossless { options["aom-params"] = "lossless=1" }
    return PictureEncoder(name: "libaom-av1", options: options, isDescribed: true)
  }

  /// The bytes of one packet.
  /// - Throws: `FFmpegError` if FFmpeg lacks the encoder, or the encoder fails or does not support the layout.
  public func encode(_ frame: CodedFrame) throws(FFmpegError) -> [UInt8] {
    FFmpegLog.prepare()
    let codec = try unsafe Encoders.codec(named: name)
    let picture = try unsafe picture(frame, codec)
    var context = unsafe avcodec_alloc_context3(codec)
    guard let opened = unsafe context else { throw .outOfMemory }
    defer { unsafe avcodec_free_context(&context) }
    unsafe opened.pointee.width = picture.frame.pointee.width
    unsafe opened.pointee.height = picture.frame.pointee.height
    unsafe opened.pointee.pix_fmt = picture.format
    unsafe opened.pointee.time_base = AVRational(num: 1, den: 1)
    if isDescribed {
      unsafe opened.pointee.color_primaries = frame.color.avPrimaries
      unsafe opened.pointee.color_trc = frame.color.avTransfer
      unsafe opened.pointee.colorspace = frame.color.avMatrix
      unsafe opened.pointee.color_range = frame.color.avRange
    } else {
      // With more, FFmpeg's threads would wait for further pictures.
      unsafe opened.pointee.thread_count = 1
    }
    var values: OpaquePointer?
    defer { unsafe av_dict_free(&values) }
    for (name, value) in options { unsafe av_dict_set(&values, name, value, 0) }
    try run(.openEncoder) { unsafe avcodec_open2(opened, codec, &values) }
    return try unsafe packet(of: picture, opened, isDescribed ? AV1Metadata(frame.metadata) : nil)
  }

  private func packet(
    of picture: Picture, _ context: UnsafeMutablePointer<AVCodecContext>, _ inserted: AV1Metadata?
  ) throws(FFmpegError) -> [UInt8] {
    try run(.encode) { unsafe avcodec_send_frame(context, picture.frame) }
    // Some encoders hold the picture until the end of the stream.
    try run(.encode) { unsafe avcodec_send_frame(context, nil) }
    var packet = unsafe av_packet_alloc()
    guard let filled = unsafe packet else { throw .outOfMemory }
    defer { unsafe av_packet_free(&packet) }
    try run(.encode) { unsafe avcodec_receive_packet(context, filled) }
    try unsafe inserted?.insert(into: filled)
    return unsafe Array(UnsafeBufferPointer(start: filled.pointee.data, count: Int(filled.pointee.size)))
  }

  /// The frame in the encoder's format.
  private func picture(_ frame: CodedFrame, _ codec: UnsafePointer<AVCodec>) throws(FFmpegError) -> Picture {
    if isDescribed {
      guard let format = unsafe Encoders.format(of: frame.layout, for: codec) else {
        throw .unsupportedLayout(
          encoder: name, wanted: frame.layout, supported: unsafe Encoders.layouts(of: codec))
      }
      return try PicturePool(size: frame.size, layout: frame.layout, format: format).copy(of: frame)
    }
    let layouts = [8, 16].map { PixelLayout(.rgb, bitDepth: $0) }
    guard layouts.contains(frame.layout)
    else { throw .unsupportedLayout(encoder: name, wanted: frame.layout, supported: layouts) }
    return try .interleaved(frame)
  }

  private func run(_ operation: FFmpegError.Operation, _ call: () -> Int32) throws(FFmpegError) {
    let (code, lines) = FFmpegLog.listening(call)
    if code < 0 { throw .failure(operation, name, code, detail: lines) }
  }
}

extension Picture {
  /// Interleaved R'G'B', 16-bit samples in big-endian order.
  fileprivate static func interleaved(_ frame: CodedFrame) throws(FFmpegError) -> Picture {
    let format = frame.layout.bytesPerSample == 2 ? AV_PIX_FMT_RGB48BE : AV_PIX_FMT_RGB24
    let picture = try Picture.allocate(size: frame.size, format: format)
    guard let base = unsafe hr_frame_plane(picture.frame, 0) else { throw .outOfMemory }
    let stride = unsafe Int(hr_frame_stride(picture.frame, 0))
    for y in 0..<frame.size.height { unsafe frame.interleave(row: y, to: base + y * stride, isBigEndian: true) }
    return picture
  }
}
