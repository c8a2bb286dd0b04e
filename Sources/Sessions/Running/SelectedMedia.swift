internal import FFmpegIO
internal import Frames
package import Media

/// The selected frames of a reader, and the matching packets of other streams.
package final class SelectedMedia: FrameSource, @unchecked Sendable {
  // @unchecked: only the reading thread uses the variables.
  private let reader: any MediaInput
  private let selection: FrameSelection
  private var index = 0
  private var passing: PassingPackets
  /// Packets before the first selected frame that may still belong to the selection.
  private var held: [Packet] = []
  /// Packets later than the last frame read: the selection may end first.
  private var ahead: [Packet] = []
  /// Time in seconds of the last frame read.
  private var reached = -Double.infinity
  /// Relative error of the product of a time and a unit that is not a binary fraction.
  private static let rounding = 1e-9

  /// Maximum size in bytes of packets waiting for frames; more are passed on.
  private static let maximumBytesAhead = 1 << 26

  /// - Parameter passed: Indices of the streams whose packets the reader passes.
  package init(_ reader: any MediaInput, _ plan: SelectionPlan, passed: [Int] = []) {
    self.reader = reader
    selection = plan.selection
    passing = PassingPackets(reader, plan, passed: passed)
  }

  package func interrupt() { reader.interrupt() }

  package func read() throws -> StreamItem? {
    if let time = selection.at { return try readFrame(shownAt: time) }
    while let item = try reader.read() {
      var packets = (item.passing as? PacketBatch)?.packets ?? []
      if passing.end != nil {
        guard let rest = passing.trimmedAtEnd(packets) else { return nil }
        if !rest.isEmpty { return StreamItem(passing: batch(rest)) }
        continue
      }
      let frame = item.frame.flatMap(selected)
      if let time = item.frame?.time.seconds { reached = max(reached, time) }
      if passing.first == nil {
        hold(packets, before: item.frame)
        continue
      }
      if !held.isEmpty {
        packets = held + packets
        held = []
      }
      let batch = batch(due(packets))
      if frame == nil, batch == nil { continue }
      return StreamItem(passing: batch, frame: frame)
    }
    return batch(takeAhead()).map { StreamItem(passing: $0) }
  }

  /// Returns packets with their output times.
  private func batch(_ packets: [Packet]) -> PacketBatch? { passing.batch(packets, endingAt: knownEnd) }

  /// Returns packets that are certainly selected; others wait.
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
    passing.end ?? selection.duration.flatMap { length in passing.first.map { $0.seconds + length } }
  }

  /// Reads the last frame that starts at or before a time in seconds from the start, and has not ended by then.
  private func readFrame(shownAt time: Double) throws -> StreamItem? {
    guard index == 0 else { return nil }
    let wanted = time + (reader.info.startTime ?? 0) + FrameSelection.tolerance
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
    return wanted < shown.time.seconds + length + 2 * FrameSelection.tolerance ? StreamItem(frame: shown) : nil
  }

  /// Returns the frame with its output time; nil if it is not selected.
  private func selected(_ frame: CodedFrame) -> CodedFrame? {
    defer { index += 1 }
    if let range = selection.range, index < range.first { return nil }
    let first = passing.first ?? frame.time
    passing.first = first
    let elapsed = frame.time.presentation.subtractingReportingOverflow(first.presentation).partialValue
    let isLate =
      selection.duration.map { Double(elapsed) * frame.time.timeBase.value >= $0 * (1 - Self.rounding) } ?? false
    if isLate || selection.range?.last.map({ index > $0 }) ?? false {
      finish(at: selection.duration.map { first.seconds + $0 } ?? frame.time.seconds)
      return nil
    }
    if (index - (selection.range?.first ?? 0)) % selection.every != 0 { return nil }
    return passing.zero.map { frame.at(frame.time.counted(from: $0)) } ?? frame
  }

  /// Ends the selection: only its remaining packets of other streams follow.
  private func finish(at seconds: Double) {
    passing.end = seconds
    reader.stopDecoding(limit: passing.hasOthers ? seconds + PassingPackets.interleaving : -.infinity)
  }

  /// Holds packets that may be audible or visible with the first selected frame.
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
}
