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
