internal import Frames
internal import Rendering

/// What a picture shows, as far as light of any strength shows it: the square root of light, whose local mean is
/// removed and whose local deviation is 1 where there is more than noise.
///
/// The square root makes the noise of photons even (Anscombe 1948); normalization removes slow changes of light.
struct LocalContrast: Sendable {
  /// The root of light.
  let root: Plane
  /// 1 where something is saturated, and part of 1 near it.
  let clipped: Plane
  /// Normalized; NaN where something is saturated.
  let plane: Plane
  /// Pixels of the picture along a side of a pixel of this one.
  let scale: Double
  private let noise: LightNoise
  private let halvings: Int

  private static var radius: Int { 8 }

  /// From light at the working size.
  init(_ reduced: ReducedLight, pool: WorkerPool) {
    let noise = LightNoise(reduced)
    let root = reduced.light.combined(with: reduced.light, pool: pool) { light, _ in noise.root(light) }
    self.init(root: root, clipped: reduced.clipped, scale: Double(reduced.scale), noise: noise, halvings: 0, pool: pool)
  }

  /// At half the size.
  func halved(pool: WorkerPool) -> LocalContrast {
    LocalContrast(
      root: root.halved(pool: pool), clipped: clipped.halved(pool: pool), scale: 2 * scale, noise: noise,
      halvings: halvings + 1, pool: pool)
  }

  private init(root: Plane, clipped: Plane, scale: Double, noise: LightNoise, halvings: Int, pool: WorkerPool) {
    (self.root, self.clipped, self.scale) = (root, clipped, scale)
    (self.noise, self.halvings) = (noise, halvings)
    let smooth = root.smoothed(pool: pool)
    let mean = smooth.boxMeans(radius: Self.radius, pool: pool)
    let squares = smooth.combined(with: mean, pool: pool) { ($0 - $1) * ($0 - $1) }
    let spread = squares.boxMeans(radius: Self.radius, pool: pool)
    let deviation = noise.rootDeviation / Float(1 << halvings)
    let floor = 2.5 * LightNoise.smoothed * deviation
    let masked = clipped.boxMeans(radius: 2, pool: pool)
    let contrast = spread.combined(with: mean, pool: pool) { spread, mean in
      // Less than half a per cent of contrast is no structure.
      1 / (max(spread, 0).squareRoot() + floor + 0.004 * abs(mean) + .leastNormalMagnitude)
    }
    let centered = smooth.combined(with: mean, pool: pool) { $0 - $1 }
    let normalized = centered.combined(with: contrast, pool: pool) { min(max($0 * $1, -4), 4) }
    plane = normalized.combined(with: masked, pool: pool) { $1 > 0 ? .nan : $0 }
  }
}
