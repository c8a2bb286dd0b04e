internal import NIOCore

/// Keeps something to a rate: a token bucket.
struct TokenBucket {
  private let rate: Rate
  private var tokens: Double
  private var filled: NIODeadline

  init(_ rate: Rate, now: NIODeadline) {
    (self.rate, tokens, filled) = (rate, rate.burst, now)
  }

  /// Whether it may happen once more.
  mutating func take(now: NIODeadline) -> Bool {
    fill(now: now)
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }

  /// Nothing has happened for so long that a new bucket would be the same.
  mutating func isFull(now: NIODeadline) -> Bool {
    fill(now: now)
    return tokens >= rate.burst
  }

  private mutating func fill(now: NIODeadline) {
    tokens = min(rate.burst, tokens + (now - filled).seconds * rate.perSecond)
    filled = now
  }
}
