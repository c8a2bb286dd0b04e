/// Counts packets that FFmpeg flags because the continuity counters of a transport stream jump. Joined recordings restart the counters
/// between whole packets, so a flag near a joint does not count.
struct SuspectPackets {
  /// Packets between a flagged one and the jump of the clock that belongs to it.
  private static let reach = 200

  private var count = 0
  /// Packets since the last that was flagged, and until flags count again.
  private var (age, pardon) = (0, 0)

  /// Adds a packet.
  /// - Parameter isAtJoint: The clock has jumped at it.
  /// - Returns: Packets that turn out to be damaged.
  mutating func add(isFlagged: Bool, isAtJoint: Bool) -> Int {
    if isAtJoint { (count, pardon) = (0, Self.reach) }
    pardon = max(pardon - 1, 0)
    if isFlagged, pardon == 0 { (count, age) = (count + 1, 0) } else { age += 1 }
    return age > Self.reach ? takeAll() : 0
  }

  /// Takes the flagged packets that no joint has explained; for the end of the file.
  mutating func takeAll() -> Int {
    defer { count = 0 }
    return count
  }
}
