internal import CFFmpeg
public import Frames
public import Media

/// A coded packet of a stream that is not decoded; owns an `AVPacket`.
@safe
public final class Packet: @unchecked Sendable {
  // @unchecked: one thread at a time uses a packet, on its way from the reader to the writer.
  // @safe: the pointer does not leave this module, and is freed with this object.
  let packet: UnsafeMutablePointer<AVPacket>
  /// Index of its stream in the source.
  public let streamIndex: Int
  /// Length of one unit of its times in seconds.
  public let timeBase: Rational
  /// The kind of data in its stream.
  public let kind: StreamInfo.Kind
  /// Whether it belongs to the whole file rather than to a time, as a cover does.
  public let isTimeless: Bool

  /// Moves the contents out of `other`, a packet of `stream`.
  init(moving other: UnsafeMutablePointer<AVPacket>, of stream: StreamCopy) throws(FFmpegError) {
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe av_packet_move_ref(packet, other)
    unsafe self.packet = unsafe packet
    streamIndex = unsafe Int(packet.pointee.stream_index)
    timeBase = stream.timeBase
    kind = stream.kind
    isTimeless = stream.isCover
  }

  deinit { unsafe release(packet, av_packet_free) }

  /// Size of the payload.
  public var byteCount: Int { unsafe Int(packet.pointee.size) }

  /// Whether an edit list hides it. Hidden pictures may be references of others, and are not counted here.
  public var isHidden: Bool { unsafe kind != .video && packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

  /// Presentation time in seconds, or decoding time if missing; nil if both are missing, or the packet is timeless.
  public var seconds: Double? {
    if isTimeless { return nil }
    let time = unsafe known(packet.pointee.pts) ?? known(packet.pointee.dts)
    return time.map { Double($0) * timeBase.value }
  }

  /// Duration in seconds; 0 if unknown.
  public var duration: Double { unsafe Double(max(0, packet.pointee.duration)) * timeBase.value }

  /// Moves the packet `time` earlier, rounded to its time base.
  public func shift(backBy time: FrameTime) {
    if isTimeless { return }
    guard let from = time.timeBase.native, let own = timeBase.native else { return }
    let offset = av_rescale_q(time.presentation, from, own)
    if let pts = unsafe known(packet.pointee.pts) {
      unsafe packet.pointee.pts = pts.subtractingReportingOverflow(offset).partialValue
    }
    if let dts = unsafe known(packet.pointee.dts) {
      unsafe packet.pointee.dts = dts.subtractingReportingOverflow(offset).partialValue
    }
  }

  /// Ends the packet's display at `seconds` at the latest.
  public func cut(after seconds: Double) {
    guard let (pts, end) = times(until: seconds) else { return }
    let (length, overflow) = end.subtractingReportingOverflow(pts)
    if !overflow { unsafe packet.pointee.duration = min(packet.pointee.duration, length) }
  }

  /// Starts the packet's display at `seconds`, for a subtitle that is already on screen when a selection begins.
  public func cut(before seconds: Double) {
    guard let (pts, start) = times(until: seconds) else { return }
    let end = unsafe pts.addingReportingOverflow(packet.pointee.duration).partialValue
    unsafe packet.pointee.pts = start
    unsafe packet.pointee.dts = start
    unsafe packet.pointee.duration = max(0, end.subtractingReportingOverflow(start).partialValue)
  }

  /// The packet's time, and a later one, in units of its time base.
  private func times(until seconds: Double) -> (Int64, Int64)? {
    let ticks = (seconds / timeBase.value).rounded()
    guard let pts = unsafe known(packet.pointee.pts), let other = Int64(exactly: ticks), other > pts else { return nil }
    return (pts, other)
  }
}

/// Packets in file order.
public struct PacketBatch: PassingData {
  /// The packets in file order, of any stream except the decoded one.
  public var packets: [Packet]

  /// Packets must be in file order.
  public init(_ packets: [Packet] = []) { self.packets = packets }

  /// Without packets that end before a time in seconds; nil if none remain.
  func lasting(beyond seconds: Double) -> PacketBatch? {
    let rest = packets.filter { packet in packet.seconds.map { $0 + packet.duration > seconds } ?? true }
    return rest.isEmpty ? nil : PacketBatch(rest)
  }

  /// Payload size of all packets.
  var byteCount: Int { packets.reduce(0) { $0 + $1.byteCount } }
}

/// Inserts bytes into the data of a packet.
/// - Parameter place: Offset, 0 to the packet's size.
@unsafe
func insert(_ bytes: [UInt8], into packet: UnsafeMutablePointer<AVPacket>, at place: Int) throws(FFmpegError) {
  let size = unsafe Int(packet.pointee.size)
  guard let count = Int32(exactly: bytes.count), unsafe av_grow_packet(packet, count) >= 0,
    unsafe av_packet_make_writable(packet) >= 0, let data = unsafe packet.pointee.data
  else { throw .outOfMemory }
  let start = unsafe UnsafeMutableRawPointer(data) + place
  unsafe (start + bytes.count).copyMemory(from: start, byteCount: size - place)
  unsafe bytes.withUnsafeBytes {
    unsafe UnsafeMutableRawBufferPointer(start: start, count: $0.count).copyMemory(from: $0)
  }
}

/// Gives an empty packet a copy of `bytes`, with the padding that decoders need.
@unsafe
func fill(_ packet: UnsafeMutablePointer<AVPacket>, with bytes: RawSpan) throws(FFmpegError) {
  guard let count = Int32(exactly: bytes.byteCount), unsafe av_new_packet(packet, count) >= 0,
    let data = unsafe packet.pointee.data
  else { throw .outOfMemory }
  unsafe bytes.withUnsafeBytes {
    unsafe UnsafeMutableRawBufferPointer(start: data, count: $0.count).copyMemory(from: $0)
  }
}
