package import FFmpegIO
package import Frames
package import Media

/// Packets of other streams that belong to a selection of frames, with their output times.
package struct PassingPackets {
  private let selection: SelectionPlan
  /// Time of the first selected frame; nil until it is known.
  package var first: FrameTime?
  /// End of the selection in seconds of the input; nil while unknown.
  package var end: Double?
  /// Audio streams that have reached the end of the selection.
  private var endedStreams: Set<Int> = []
  private let audioStreams: Set<Int>
  /// There are other streams than the picture.
  package let hasOthers: Bool
  private let hasOnlyAudio: Bool

  /// Seconds after the end of the selection within which a stream may still deliver packets from before it.
  package static let interleaving = 10.0

  /// - Parameter passed: Indices of the streams whose packets the reader passes.
  package init(_ reader: any MediaInput, _ selection: SelectionPlan, passed: [Int]) {
    self.selection = selection
    let streams = reader.info.streams.filter { passed.contains($0.index) }
    hasOthers = !passed.isEmpty
    hasOnlyAudio = hasOthers && streams.allSatisfy { $0.kind == .audio }
    audioStreams = Set(streams.lazy.filter { $0.kind == .audio }.map(\.index))
  }

  /// The input time that becomes zero in the output; nil: times are kept.
  package var zero: FrameTime? { selection.zero(first) }

  /// Packets before the end of the selection; nil when no more can follow.
  package mutating func trimmedAtEnd(_ packets: [Packet]) -> [Packet]? {
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

  /// Returns packets with their output times.
  /// - Parameter knownEnd: Input time in seconds at which subtitles are cut; nil: not cut.
  package func batch(_ packets: [Packet], endingAt knownEnd: Double?) -> PacketBatch? {
    if let knownEnd {
      for packet in packets where packet.kind == .subtitle { packet.cut(after: knownEnd) }
    }
    var kept = packets
    if selection.beginsWithFrame, let first {
      kept = packets.filter { packet in
        guard let seconds = packet.seconds, seconds < first.seconds else { return true }
        // A visible subtitle is kept; audio starts with its next packet.
        guard packet.kind == .subtitle, seconds + packet.duration > first.seconds else { return false }
        packet.cut(before: first.seconds)
        return true
      }
    }
    if let zero { kept.forEach { $0.shift(backBy: zero) } }
    return kept.isEmpty ? nil : PacketBatch(kept)
  }
}
