internal import Bitstreams
internal import CFFmpeg

/// The sequence header of an AV1 encoder that outputs it only with its first picture: libaom, as FFmpeg opens it.
struct SequenceHeader {
  /// The first OBUs of a stream, up to the header.
  let bytes: [UInt8]

  /// Encodes a picture with a separate encoder, because the stream needs the header before its first picture.
  init(_ settings: MediaWriter.Settings, name: String) throws(FFmpegError) {
    let encoder = try Encoder(settings, name: name, wantsGlobalHeader: true)
    let blank = try PicturePool(size: settings.size, layout: settings.layout, format: encoder.format).picture()
    unsafe blank.frame.pointee.pts = 0
    try unsafe encoder.send(blank.frame)
    try unsafe encoder.send(nil)
    let packet = try PacketBuffer()
    guard try unsafe encoder.receive(into: packet.pointer) else {
      throw .failure(.encode, settings.url, hr_error_invalid_data())
    }
    let (data, count) = unsafe (packet.pointer.pointee.data, Int(packet.pointer.pointee.size))
    let coded = unsafe UnsafeBufferPointer(start: data, count: count)
    guard let end = unsafe AV1Metadata.endOfSequenceHeader(in: coded.span) else {
      throw .failure(.encode, settings.url, hr_error_invalid_data())
    }
    bytes = unsafe Array(coded[..<end])
  }
}
