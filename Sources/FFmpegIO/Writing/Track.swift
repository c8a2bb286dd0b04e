internal import CFFmpeg
internal import Frames

/// One stream of an output while it is written: its packets get times that the container takes.
@safe
final class Track {
  // @safe: the stream belongs to the muxer, which owns this object.
  let stream: UnsafeMutablePointer<AVStream>
  /// Packets whose decoding time had to be moved because it was before that of the packet before.
  private(set) var moved = 0
  private var last: Int64?
  private var expected: Int64?
  private let isStrict: Bool

  /// - Parameter isStrict: The container refuses equal decoding times as well as falling ones.
  init(_ stream: UnsafeMutablePointer<AVStream>, isStrict: Bool) {
    unsafe self.stream = unsafe stream
    self.isStrict = isStrict
  }

  /// Brings the packet's times into the stream's time base, and decoding times into order.
  func prepare(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) {
    unsafe packet.pointee.stream_index = stream.pointee.index
    unsafe packet.pointee.pos = -1
    unsafe av_packet_rescale_ts(packet, timeBase, stream.pointee.time_base)
    // A packet without times follows the one before.
    if unsafe known(packet.pointee.dts) == nil {
      unsafe packet.pointee.dts = unsafe known(packet.pointee.pts) ?? expected ?? last ?? 0
    }
    let isVideo = unsafe stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    if unsafe known(packet.pointee.pts) == nil, !isVideo { unsafe packet.pointee.pts = unsafe packet.pointee.dts }
    if let last {
      let least = isStrict ? last &+ 1 : last
      if unsafe packet.pointee.dts < least {
        unsafe packet.pointee.dts = least
        moved += 1
        if let pts = unsafe known(packet.pointee.pts), pts < least { unsafe packet.pointee.pts = least }
      }
    }
    last = unsafe packet.pointee.dts
    expected = unsafe packet.pointee.dts.addingReportingOverflow(max(0, packet.pointee.duration)).partialValue
  }
}
