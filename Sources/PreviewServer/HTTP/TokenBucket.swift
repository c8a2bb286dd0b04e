internal import NIOCore

/// A token bucket for rate limits.
struct TokenBucket {
  private let rate: Rate
  private var tokens: Double
  private var filled: NIODeadline

  init(_ rate: Rate, now: NIODeadline) {
    (self.rate, tokens, filled) = (rate, rate.burst, now)
  }

  /// Takes a token, if there is one.
  mutating func take(now: NIODeadline) -> Bool {
    fill(now: now)
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }

  /// Returns whether the bucket is full again.
  mutating func isFull(now: NIODeadline) -> Bool {
    fill(now: now)
    return tokens >= rate.burst
  }

  private mutating func fill(now: NIODeadline) {
    tokens = min(rate.burst, tokens + (now - filled).seconds * rate.perSecond)
    filled = now
  }
}
