/// A rate limit.
package struct Rate: Sendable, Hashable {
  /// The sustained rate.
  package var perSecond: Double
  /// The maximum burst.
  package var burst: Double

  /// Creates a rate limit.
  package init(perSecond: Double, burst: Double) { (self.perSecond, self.burst) = (perSecond, burst) }
}
