internal import CFFmpeg
internal import Frames

/// Continues timestamps across clock discontinuities of a transport stream, as in joined recordings: the jump is
/// removed, for every stream by the same amount.
struct TimestampCorrector {
  /// Seconds between two packets of a stream from which a gap is considered a clock discontinuity; as in ffmpeg.
  private static let threshold = 10.0
  /// Seconds by which decoding times may step back without a discontinuity; as in ffmpeg.
  private static let jitter = 0.1

  private let isNeeded: Bool
  /// Offset in seconds after the last discontinuity.
  private var latest = 0.0
  /// The same for each stream, because streams reach the discontinuity one after the other.
  private var offsets: [Int32: Double] = [:]
  /// The end of each stream in seconds of the corrected clock.
  private var ends: [Int32: Double] = [:]
  /// The latest displayed time of each stream, because pictures are not decoded in display order.
  private var shown: [Int32: Double] = [:]
  /// Number of discontinuities so far.
  private(set) var jumps = 0

  /// - Parameter isNeeded: Whether the container's clock may be discontinuous.
  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  /// Resets the state, after a seek.
  mutating func forget() { self = TimestampCorrector(isNeeded: isNeeded) }

  /// Corrects a packet's times. Audio and video have no gaps; other streams follow them.
  mutating func mend(_ packet: UnsafeMutablePointer<AVPacket>, of stream: UnsafePointer<AVStream>) {
    let timeBase = unsafe stream.pointee.time_base
    guard isNeeded, let time = unsafe known(packet.pointee.dts) ?? known(packet.pointee.pts), timeBase.num > 0
    else { return }
    let unit = timeBase.rational.value
    let seconds = Double(time) * unit
    guard unsafe isTimed(stream) else {
      var offset = latest
      // The packet reaches the discontinuity before audio and video.
      if let end = ends.values.max(), abs(seconds + offset - end) > Self.threshold { offset = end - seconds }
      return unsafe shift(packet, by: offset / unit)
    }
    let presentation = unsafe known(packet.pointee.pts).map { Double($0) * unit } ?? seconds
    let stream = unsafe packet.pointee.stream_index
    var offset = offsets[stream] ?? latest
    if let end = ends[stream] {
      let step = seconds + offset - end
      // Presentation times are not monotonic.
      let rises = unsafe known(packet.pointee.dts) != nil
      if abs(step) > Self.threshold || rises && step < -Self.jitter {
        // Another stream has already reached the discontinuity, or this one is the first.
        if offset == latest || abs(seconds + latest - end) > Self.threshold {
          // Where a recording ends inside a group of pictures, the last one decoded is not the last one shown.
          latest = max(end - seconds, (shown[stream] ?? end) - presentation)
          jumps += 1
        }
        offset = latest
      }
    }
    offsets[stream] = offset
    unsafe shift(packet, by: offset / unit)
    let duration = unsafe Double(max(0, packet.pointee.duration)) * unit
    ends[stream] = seconds + offset + duration
    shown[stream] = max(shown[stream] ?? -.infinity, presentation + offset + duration)
  }

  private func shift(_ packet: UnsafeMutablePointer<AVPacket>, by ticks: Double) {
    guard ticks.isFinite, let shift = Int64(exactly: ticks.rounded()), shift != 0 else { return }
    if let pts = unsafe known(packet.pointee.pts) { unsafe packet.pointee.pts = pts &+ shift }
    if let dts = unsafe known(packet.pointee.dts) { unsafe packet.pointee.dts = dts &+ shift }
  }
}

/// Counts packets that FFmpeg flags because the continuity counters of a transport stream jump. Joined recordings
/// restart the counters between whole packets, so flags near a join do not count.
struct SuspectPackets {
  /// Maximum number of packets between a flagged one and its clock jump.
  private static let reach = 200

  private var count = 0
  /// Packets since the last flagged one, and until flags count again.
  private var (age, pardon) = (0, 0)

  /// Adds a packet.
  /// - Parameter isAtJoint: The clock jumped at this packet.
  /// - Returns: Number of packets that turn out to be damaged.
  mutating func add(isFlagged: Bool, isAtJoint: Bool) -> Int {
    if isAtJoint { (count, pardon) = (0, Self.reach) }
    pardon = max(pardon - 1, 0)
    if isFlagged, pardon == 0 { (count, age) = (count + 1, 0) } else { age += 1 }
    return age > Self.reach ? takeAll() : 0
  }

  /// Takes the flagged packets that no join explains, at the end of the file.
  mutating func takeAll() -> Int {
    defer { count = 0 }
    return count
  }
}
