/// How often something may happen.
package struct Rate: Sendable, Hashable {
  /// In the long run.
  package var perSecond: Double
  /// At once after a rest.
  package var burst: Double

  /// A rate.
  package init(perSecond: Double, burst: Double) { (self.perSecond, self.burst) = (perSecond, burst) }
}
