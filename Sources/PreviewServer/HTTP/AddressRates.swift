internal import NIOCore

/// Keeps the requests of each address to a rate.
///
/// Those with the token have a bucket of their own, so that a stranger behind the same address cannot use it up.
struct AddressRates {
  private struct Key: Hashable {
    var address: ClientAddress
    var isStranger: Bool
  }

  /// Buckets that are kept; addresses beyond share one.
  private static let most = 4096
  private let limits: Limits
  private var buckets: [Key: TokenBucket] = [:]

  init(limits: Limits) { self.limits = limits }

  /// Whether one more request of the address is answered.
  mutating func take(_ address: ClientAddress, isStranger: Bool, now: NIODeadline) -> Bool {
    var key = Key(address: address, isStranger: isStranger)
    if buckets[key] == nil, buckets.count >= Self.most { key.address = .other }
    let rate = isStranger ? limits.strangerRate : limits.addressRate
    return buckets[key, default: TokenBucket(rate, now: now)].take(now: now)
  }

  /// Forgets addresses that have been quiet.
  mutating func sweep(now: NIODeadline) {
    for key in buckets.keys where buckets[key]?.isFull(now: now) == true { buckets[key] = nil }
  }
}
