internal import CFFmpeg
public import Frames
public import Media

/// A coded packet of a stream that is not decoded: the one owner of an `AVPacket`.
@safe
public final class Packet: @unchecked Sendable {
  // @unchecked: one thread at a time has a packet, on its way from the reader to the writer.
  // @safe: the pointer does not leave this module, and is freed with this object.
  let packet: UnsafeMutablePointer<AVPacket>
  /// Place of its stream in the source.
  public let streamIndex: Int
  /// Length of one unit of its times in seconds.
  public let timeBase: Rational
  /// What its stream carries.
  public let kind: StreamInfo.Kind
  /// A cover belongs to the whole file, and not to a time.
  public let isTimeless: Bool

  /// Takes the contents of `other`, a packet of `stream`; it is empty afterwards.
  init(moving other: UnsafeMutablePointer<AVPacket>, of stream: StreamCopy) throws(FFmpegError) {
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe av_packet_move_ref(packet, other)
    unsafe self.packet = unsafe packet
    streamIndex = unsafe Int(packet.pointee.stream_index)
    timeBase = stream.timeBase
    kind = stream.kind
    isTimeless = stream.isCover
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
  }

  /// Size of the payload.
  public var byteCount: Int { unsafe Int(packet.pointee.size) }

  /// Presentation time in seconds; decoding time where it has none; nil where it has neither, or needs none.
  public var seconds: Double? {
    if isTimeless { return nil }
    let time = unsafe known(packet.pointee.pts) ?? known(packet.pointee.dts)
    return time.map { Double($0) * timeBase.value }
  }

  /// Duration in seconds; 0 where it is not known.
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

  /// Lets the packet be shown until `seconds` at most.
  public func cut(after seconds: Double) {
    guard let pts = unsafe known(packet.pointee.pts) else { return }
    let ticks = (seconds / timeBase.value).rounded()
    guard ticks.isFinite, let end = Int64(exactly: ticks), end > pts else { return }
    let (length, overflow) = end.subtractingReportingOverflow(pts)
    if !overflow { unsafe packet.pointee.duration = min(packet.pointee.duration, length) }
  }

  /// Lets the packet be shown from `seconds` on only: a subtitle that is on the screen already when a cut begins.
  public func cut(before seconds: Double) {
    guard let pts = unsafe known(packet.pointee.pts) else { return }
    let ticks = (seconds / timeBase.value).rounded()
    guard ticks.isFinite, let start = Int64(exactly: ticks), start > pts else { return }
    let end = unsafe pts.addingReportingOverflow(packet.pointee.duration).partialValue
    unsafe packet.pointee.pts = start
    unsafe packet.pointee.dts = start
    unsafe packet.pointee.duration = max(0, end.subtractingReportingOverflow(start).partialValue)
  }
}

/// Packets in the order of the file.
public struct PacketBatch: PassingData {
  /// In the order of the file, of any stream but the decoded one.
  public var packets: [Packet]

  /// Takes packets in the order of the file.
  public init(_ packets: [Packet] = []) { self.packets = packets }

  /// Without the packets that end before a time in seconds; nil where none is left.
  func lasting(beyond seconds: Double) -> PacketBatch? {
    let rest = packets.filter { packet in packet.seconds.map { $0 + packet.duration > seconds } ?? true }
    return rest.isEmpty ? nil : PacketBatch(rest)
  }

  /// Payload of all packets.
  var byteCount: Int { packets.reduce(0) { $0 + $1.byteCount } }
}
