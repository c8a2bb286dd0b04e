internal import FFmpegIO
internal import Frames
internal import Media

/// The selected frames of a reader, and the matching packets of other streams.
final class SelectedMedia: FrameSource, @unchecked Sendable {
  // @unchecked: only the reading thread uses the variables.
  private let reader: any MediaInput
  private let selection: FrameSelection
  private let origin: SelectionPlan.Origin
  private var index = 0
  /// Time of the first selected frame; nil until it has been read.
  private var first: FrameTime?
  /// End of the selection in seconds of the input; nil while unknown.
  private var end: Double?
  /// Packets before the first selected frame that may still belong to it.
  private var held: [Packet] = []
  /// Packets later than the last frame read: the selection may end before them.
  private var ahead: [Packet] = []
  /// Time in seconds of the last frame read.
  private var reached = -Double.infinity
  /// Audio streams that have reached the end of the selection.
  private var endedStreams: Set<Int> = []
  private let audioStreams: Set<Int>
  private let hasOthers: Bool
  private let hasOnlyAudio: Bool

  /// Tolerance, in seconds, for times that users type.
  private static let tolerance = 0.0005

  /// Products of times and units that are no binary fractions may be too small by this share.
  private static let rounding = 1e-9

  /// Seconds after the end of the selection within which a stream may still deliver packets from before it.
  private static let interleaving = 10.0

  /// Maximum bytes of packets that wait for frames; more are passed on.
  private static let maximumBytesAhead = 1 << 26

  /// - Parameter passed: Indices of the streams whose packets the reader passes.
  init(_ reader: any MediaInput, _ plan: SelectionPlan, passed: [Int] = []) {
    self.reader = reader
    selection = plan.selection
    origin = plan.origin
    let streams = reader.info.streams.filter { passed.contains($0.index) }
    hasOthers = !passed.isEmpty
    hasOnlyAudio = hasOthers && streams.allSatisfy { $0.kind == .audio }
    audioStreams = Set(streams.lazy.filter { $0.kind == .audio }.map(\.index))
  }

  func interrupt() { reader.interrupt() }

  func read() throws -> StreamItem? {
    if let time = selection.at { return try readFrame(shownAt: time) }
    while let item = try reader.read() {
      var packets = (item.passing as? PacketBatch)?.packets ?? []
      if end != nil {
        guard let rest = trimmedAtEnd(packets) else { return nil }
        if !rest.isEmpty { return StreamItem(passing: batch(rest)) }
        continue
      }
      let frame = item.frame.flatMap(selected)
      if let time = item.frame?.time.seconds { reached = max(reached, time) }
      if first == nil {
        hold(packets, before: item.frame)
        continue
      }
      if !held.isEmpty {
        packets = held + packets
        held = []
      }
      let passing = batch(due(packets))
      if frame == nil, passing == nil { continue }
      return StreamItem(passing: passing, frame: frame)
    }
    return batch(takeAhead()).map { StreamItem(passing: $0) }
  }

  /// Packets that are certainly selected; others wait.
  private func due(_ packets: [Packet]) -> [Packet] {
    if let end = knownEnd { return (takeAhead() + packets).filter { ($0.seconds ?? 0) < end } }
    guard selection.range?.last != nil else { return packets }
    ahead += packets
    if ahead.reduce(0, { $0 + $1.byteCount }) > Self.maximumBytesAhead { return takeAhead() }
    let isDue = { [reached] (packet: Packet) in packet.seconds.map { $0 <= reached } ?? true }
    defer { ahead.removeAll(where: isDue) }
    return ahead.filter(isDue)
  }

  private func takeAhead() -> [Packet] {
    defer { ahead = [] }
    return ahead
  }

  /// End of the selection in seconds of the input, if known before its last frame.
  private var knownEnd: Double? {
    end ?? selection.duration.flatMap { length in first.map { $0.seconds + length } }
  }

  /// The last frame that begins at or before a time in seconds from the start, and has not ended by then.
  private func readFrame(shownAt time: Double) throws -> StreamItem? {
    guard index == 0 else { return nil }
    let wanted = time + (reader.info.startTime ?? 0) + Self.tolerance
    var shown: CodedFrame?
    while let frame = try reader.readFrame() {
      index += 1
      // If the first frame is later, it is the only choice.
      if frame.time.seconds > wanted { return StreamItem(frame: shown ?? frame) }
      shown = frame
    }
    let rate = reader.video.frameRate?.value ?? 1
    guard let shown else { return nil }
    // A still picture is shown at any time.
    if reader.isStill { return StreamItem(frame: shown) }
    let length = max(Double(shown.time.duration) * shown.time.timeBase.value, rate > 0 ? 1 / rate : 0)
    return wanted < shown.time.seconds + length + 2 * Self.tolerance ? StreamItem(frame: shown) : nil
  }

  /// The frame with its output time; nil if it is not selected.
  private func selected(_ frame: CodedFrame) -> CodedFrame? {
    defer { index += 1 }
    if let range = selection.range, index < range.first { return nil }
    let first = first ?? frame.time
    self.first = first
    let elapsed = frame.time.presentation.subtractingReportingOverflow(first.presentation).partialValue
    let isLate =
      selection.duration.map { Double(elapsed) * frame.time.timeBase.value >= $0 * (1 - Self.rounding) } ?? false
    if isLate || selection.range?.last.map({ index > $0 }) ?? false {
      finish(at: selection.duration.map { first.seconds + $0 } ?? frame.time.seconds)
      return nil
    }
    if (index - (selection.range?.first ?? 0)) % selection.every != 0 { return nil }
    return zero.map { frame.at(frame.time.counted(from: $0)) } ?? frame
  }

  /// Ends the selection: only its remaining packets of other streams follow.
  private func finish(at seconds: Double) {
    end = seconds
    reader.stopDecoding(limit: hasOthers ? seconds + Self.interleaving : -.infinity)
  }

  /// Keeps packets that may be heard or seen with the first selected frame.
  private func hold(_ packets: [Packet], before frame: CodedFrame?) {
    held += packets
    // Packets that end before a skipped frame belong to no selected one.
    let start = selection.start.map { $0 + (reader.info.startTime ?? 0) }
    let passed = frame?.time.seconds ?? start ?? -.infinity
    held.removeAll { packet in
      guard let seconds = packet.seconds else { return false }
      return seconds + packet.duration <= passed
    }
  }

  /// Packets before the end of the selection; nil when no more can follow.
  private func trimmedAtEnd(_ packets: [Packet]) -> [Packet]? {
    guard let end else { return packets }
    let rest = packets.filter { packet in
      guard let seconds = packet.seconds else { return true }
      if seconds < end { return true }
      if audioStreams.contains(packet.streamIndex) { endedStreams.insert(packet.streamIndex) }
      return false
    }
    // Other streams may be arbitrarily sparse: their packets are awaited up to the reader's limit.
    let isOver = hasOnlyAudio && endedStreams == audioStreams
    return isOver && rest.isEmpty ? nil : rest
  }

  /// The input time that becomes zero in the output; nil: times are kept.
  private var zero: FrameTime? {
    switch origin {
    case .input: nil
    case .time(let time): time
    case .firstFrame: first
    }
  }

  /// Packets with their output times.
  private func batch(_ packets: [Packet]) -> PacketBatch? {
    if let end = knownEnd {
      for packet in packets where packet.kind == .subtitle { packet.cut(after: end) }
    }
    var kept = packets
    if case .firstFrame = origin, let first {
      kept = packets.filter { packet in
        guard let seconds = packet.seconds, seconds < first.seconds else { return true }
        // A subtitle that is on screen stays; audio begins with its next packet.
        guard packet.kind == .subtitle, seconds + packet.duration > first.seconds else { return false }
        packet.cut(before: first.seconds)
        return true
      }
    }
    if let zero { kept.forEach { $0.shift(backBy: zero) } }
    return kept.isEmpty ? nil : PacketBatch(kept)
  }
}
