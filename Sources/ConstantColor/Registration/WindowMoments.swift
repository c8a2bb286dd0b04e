internal import Frames
internal import Rendering

/// Means, variances and the covariance of the light of two pictures around each pixel.
struct WindowMoments: Sendable {
  let flash: Plane
  let ambient: Plane
  let flashVariance: Plane
  let ambientVariance: Plane
  let covariance: Plane

  /// Computes the moments of light at the same pixels, ignoring NaNs.
  init(flash: Plane, ambient: Plane, radius: Int, pool: WorkerPool) {
    func mean(_ plane: Plane) -> Plane { plane.boxMeans(radius: radius, pool: pool) }
    func product(_ first: Plane, _ second: Plane) -> Plane { first.combined(with: second, pool: pool) { $0 * $1 } }
    func centered(_ squares: Plane, _ means: Plane) -> Plane { squares.combined(with: means, pool: pool) { $0 - $1 } }
    (self.flash, self.ambient) = (mean(flash), mean(ambient))
    flashVariance = centered(mean(product(flash, flash)), product(self.flash, self.flash))
    ambientVariance = centered(mean(product(ambient, ambient)), product(self.ambient, self.ambient))
    covariance = centered(mean(product(flash, ambient)), product(self.flash, self.ambient))
  }
}
