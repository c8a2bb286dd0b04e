internal import NIOCore

/// Limits the request rate of each address.
///
/// Requests with the token have a separate bucket, so that a stranger behind the same address cannot exhaust it.
struct AddressRates {
  private struct Key: Hashable {
    var address: ClientAddress
    var isStranger: Bool
  }

  /// Maximum number of buckets; further addresses share one.
  private static let most = 4096
  private let limits: Limits
  private var buckets: [Key: TokenBucket] = [:]

  init(limits: Limits) { self.limits = limits }

  /// Returns whether a request of the address is within its limit.
  mutating func take(_ address: ClientAddress, isStranger: Bool, now: NIODeadline) -> Bool {
    var key = Key(address: address, isStranger: isStranger)
    if buckets[key] == nil, buckets.count >= Self.most { key.address = .other }
    let rate = isStranger ? limits.strangerRate : limits.addressRate
    return buckets[key, default: TokenBucket(rate, now: now)].take(now: now)
  }

  /// Drops the buckets of inactive addresses.
  mutating func sweep(now: NIODeadline) {
    for key in buckets.keys where buckets[key]?.isFull(now: now) == true { buckets[key] = nil }
  }
}
