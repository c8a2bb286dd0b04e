internal import CFFmpeg
public import Frames

/// Codes single R'G'B' pictures with an encoder of FFmpeg's that takes samples side by side; from several threads at
/// once.
public struct PictureEncoder: Sendable {
  private let name: String
  private let options: [String: String]

  /// PNG: prediction and effort with which a picture of 2 million 16-bit pixels takes a third of a second.
  public static let png = PictureEncoder(name: "png", options: ["pred": "paeth", "compression_level": "3"])

  /// The bytes of one packet.
  /// - Parameter frame: R'G'B' of 8 or 16 bit.
  /// - Throws: `FFmpegError` where FFmpeg has no such encoder or it fails.
  public func encode(_ frame: CodedFrame) throws(FFmpegError) -> [UInt8] {
    FFmpegLog.prepare()
    guard [PixelLayout(.rgb, bitDepth: 8), PixelLayout(.rgb, bitDepth: 16)].contains(frame.layout) else {
      throw .unsupportedLayout(encoder: name, wanted: frame.layout, supported: [PixelLayout(.rgb, bitDepth: 16)])
    }
    guard let codec = unsafe avcodec_find_encoder_by_name(name) else {
      throw .unknownEncoder(name: name, available: Encoders.similar(to: name))
    }
    let picture = try Picture(interleaving: frame)
    var context = unsafe avcodec_alloc_context3(codec)
    guard let opened = unsafe context else { throw .outOfMemory }
    defer { unsafe avcodec_free_context(&context) }
    unsafe opened.pointee.width = picture.frame.pointee.width
    unsafe opened.pointee.height = picture.frame.pointee.height
    unsafe opened.pointee.pix_fmt = picture.format
    unsafe opened.pointee.time_base = AVRational(num: 1, den: 1)
    // With more, FFmpeg's threads would wait for pictures that do not come.
    unsafe opened.pointee.thread_count = 1
    var values: OpaquePointer?
    defer { unsafe av_dict_free(&values) }
    for (name, value) in options { unsafe av_dict_set(&values, name, value, 0) }
    try run(.openEncoder) { unsafe avcodec_open2(opened, codec, &values) }
    try run(.encode) { unsafe avcodec_send_frame(opened, picture.frame) }
    var packet = unsafe av_packet_alloc()
    guard let filled = unsafe packet else { throw .outOfMemory }
    defer { unsafe av_packet_free(&packet) }
    try run(.encode) { unsafe avcodec_receive_packet(opened, filled) }
    return unsafe Array(UnsafeBufferPointer(start: filled.pointee.data, count: Int(filled.pointee.size)))
  }

  private func run(_ operation: FFmpegError.Operation, _ call: () -> Int32) throws(FFmpegError) {
    let (code, lines) = FFmpegLog.listening(call)
    if code < 0 { throw .failure(operation, name, code, detail: lines) }
  }
}

extension Picture {
  /// R'G'B' side by side, 16-bit samples most significant byte first.
  fileprivate convenience init(interleaving frame: CodedFrame) throws(FFmpegError) {
    try self.init()
    let isWide = frame.layout.bytesPerSample == 2
    unsafe self.frame.pointee.width = Int32(clamping: frame.size.width)
    unsafe self.frame.pointee.height = Int32(clamping: frame.size.height)
    unsafe self.frame.pointee.format = (isWide ? AV_PIX_FMT_RGB48BE : AV_PIX_FMT_RGB24).rawValue
    if unsafe av_frame_get_buffer(self.frame, 64) < 0 { throw .outOfMemory }
    guard let base = unsafe hr_frame_plane(self.frame, 0) else { throw .outOfMemory }
    let stride = unsafe Int(hr_frame_stride(self.frame, 0))
    for y in 0..<frame.size.height { unsafe frame.interleave(row: y, to: base + y * stride, isBigEndian: true) }
  }
}
