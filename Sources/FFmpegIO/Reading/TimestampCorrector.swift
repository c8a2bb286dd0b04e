internal import CFFmpeg
internal import Frames

/// Carries times on where the clock of a transport stream begins anew, as recordings that were joined have it: the gap or
/// the step back is taken out, for every stream by the same amount.
struct TimestampCorrector {
  /// Seconds between two packets of a stream that are no gap in the programme but a jump of the clock; as in ffmpeg.
  private static let threshold = 10.0
  /// Seconds by which decoding times may step back and still be those of one clock; as in ffmpeg.
  private static let jitter = 0.1

  private let isNeeded: Bool
  /// What is added to the times of packets behind the last jump, in seconds.
  private var latest = 0.0
  /// The same for each stream: they come to the jump one after the other.
  private var offsets: [Int32: Double] = [:]
  /// Where each stream goes on, in seconds of the mended clock.
  private var ends: [Int32: Double] = [:]

  /// - Parameter isNeeded: The container is one whose clock may jump.
  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  /// Begins anew, after a seek.
  mutating func forget() { self = TimestampCorrector(isNeeded: isNeeded) }

  mutating func mend(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) {
    guard isNeeded, let time = unsafe known(packet.pointee.dts) ?? known(packet.pointee.pts), timeBase.num > 0 else {
      return
    }
    let unit = timeBase.rational.value
    let seconds = Double(time) * unit
    let stream = unsafe packet.pointee.stream_index
    var offset = offsets[stream] ?? latest
    if let end = ends[stream] {
      let step = seconds + offset - end
      // Presentation times go up and down.
      let rises = unsafe known(packet.pointee.dts) != nil
      if abs(step) > Self.threshold || rises && step < -Self.jitter {
        // Another stream has met the jump before, or this one is the first.
        if offset == latest || abs(seconds + latest - end) > Self.threshold { latest = end - seconds }
        offset = latest
      }
    }
    offsets[stream] = offset
    let ticks = (offset / unit).rounded()
    if ticks != 0, ticks.isFinite, let shift = Int64(exactly: ticks) {
      if let pts = unsafe known(packet.pointee.pts) {
        unsafe packet.pointee.pts = pts.addingReportingOverflow(shift).partialValue
      }
      if let dts = unsafe known(packet.pointee.dts) {
        unsafe packet.pointee.dts = dts.addingReportingOverflow(shift).partialValue
      }
    }
    let duration = unsafe Double(max(0, packet.pointee.duration)) * unit
    ends[stream] = seconds + offset + duration
  }
}
