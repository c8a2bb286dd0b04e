internal import CFFmpeg
internal import Frames

/// An output stream being written: adjusts the timestamps of its packets to the container.
@safe
final class Track {
  // @safe: the stream belongs to the muxer, which owns this object.
  let stream: UnsafeMutablePointer<AVStream>
  /// Number of packets moved because their decoding time decreased.
  private(set) var moved = 0
  private(set) var packets = 0
  /// Delay that readers subtract from packet times, and the muxer does not add.
  var codecDelay: FrameTime?
  private var last: Int64?
  private var expected: Int64?
  private let isStrict: Bool
  /// Duration in seconds from which a packet is considered endless: eleven days.
  private static let longest = 1e6
  /// Seconds by which pictures are decoded before display, if a container does not state it for the first ones.
  private let reordering: Double

  /// - Parameters:
  ///   - isStrict: The container rejects equal decoding times as well as decreasing ones.
  ///   - copied: The stream whose packets are copied.
  init(_ stream: UnsafeMutablePointer<AVStream>, isStrict: Bool, copied: StreamCopy? = nil) {
    unsafe self.stream = unsafe stream
    self.isStrict = isStrict
    let rate = copied?.averageFrameRate.known?.value ?? 25
    let delay = unsafe copied?.parameters.pointee.video_delay ?? 0
    reordering = Double(max(0, min(delay, 16))) / rate
  }

  /// Converts the packet's times to the stream's time base, and makes decoding times monotonic.
  func prepare(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational, later: FrameTime? = nil) {
    packets += 1
    unsafe packet.pointee.stream_index = stream.pointee.index
    unsafe packet.pointee.pos = -1
    unsafe av_packet_rescale_ts(packet, timeBase, stream.pointee.time_base)
    if let later = later ?? codecDelay, let base = later.timeBase.native {
      let shift = unsafe av_rescale_q(later.presentation, base, stream.pointee.time_base)
      if let pts = unsafe known(packet.pointee.pts) { unsafe packet.pointee.pts = pts &+ shift }
      if let dts = unsafe known(packet.pointee.dts) { unsafe packet.pointee.dts = dts &+ shift }
    }
    // Endless subtitles have the maximum duration, which not every container accepts.
    let seconds = unsafe Double(packet.pointee.duration) * stream.pointee.time_base.rational.value
    if seconds > Self.longest { unsafe packet.pointee.duration = 0 }
    let isVideo = unsafe stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    if unsafe known(packet.pointee.dts) == nil { unsafe packet.pointee.dts = unsafe decodingTime(of: packet.pointee) }
    if unsafe known(packet.pointee.pts) == nil, !isVideo { unsafe packet.pointee.pts = unsafe packet.pointee.dts }
    if let last {
      let least = isStrict ? last &+ 1 : last
      if unsafe packet.pointee.dts < least {
        unsafe packet.pointee.dts = least
        // The presentation time is kept if the container accepts it.
        if let pts = unsafe known(packet.pointee.pts), pts < least {
          unsafe packet.pointee.pts = least
          moved += 1
        } else if !isVideo {
          moved += 1
        }
      }
    }
    last = unsafe packet.pointee.dts
    expected = unsafe packet.pointee.dts.addingReportingOverflow(max(0, packet.pointee.duration)).partialValue
  }

  /// The decoding time of a packet without one: after the previous one, or early enough for reordering.
  private func decodingTime(of packet: AVPacket) -> Int64 {
    guard let pts = unsafe known(packet.pts) else { return expected ?? last ?? 0 }
    if reordering == 0 { return pts }
    let ticks = unsafe (reordering / stream.pointee.time_base.rational.value).rounded()
    let start = pts.subtractingReportingOverflow(Int64(exactly: ticks) ?? 0).partialValue
    return min(expected ?? start, pts)
  }
}
