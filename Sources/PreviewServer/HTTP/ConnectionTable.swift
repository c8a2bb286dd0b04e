internal import NIOCore

/// The open connections, and their limit.
final class ConnectionTable {
  private let limits: Limits
  private var entries: [Int: Connection] = [:]
  private var next = 0

  init(limits: Limits) { self.limits = limits }

  var count: Int { entries.count }

  /// Makes room by closing the oldest connection without the token: strangers cannot keep others out.
  /// - Returns: A number for `remove`; nil if there is no room.
  func add(_ connection: Connection) -> Int? {
    let same = entries.filter { $0.value.address == connection.address }
    if same.count >= limits.connectionsOfAddress {
      guard evict(of: same) else { return nil }
    } else if entries.count >= limits.connections {
      guard evict(of: entries) else { return nil }
    }
    next += 1
    entries[next] = connection
    return next
  }

  func remove(_ number: Int) { entries[number] = nil }

  func check(now: NIODeadline) { for connection in entries.values { connection.check(now: now) } }

  /// Whether all connections have ended.
  func isOver(now: NIODeadline) -> Bool { entries.values.allSatisfy { $0.isOver(now: now) } }

  /// Closes connections that expect no response.
  func finishIdle() {
    for connection in entries.values {
      switch connection.phase {
      case .idle, .sendHead, .sendBody: connection.finish()
      case .wait, .close: break
      }
    }
  }

  private func evict(of candidates: [Int: Connection]) -> Bool {
    guard let oldest = candidates.filter({ !$0.value.isKnown }).min(by: { $0.key < $1.key }) else { return false }
    entries[oldest.key] = nil
    oldest.value.drop()
    return true
  }
}
