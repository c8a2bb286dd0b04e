internal import Frames
internal import Rendering

/// The content of a picture, independent of the strength of the light: the square root of light, with the local mean
/// removed and the local deviation normalized to 1 where it exceeds noise.
///
/// The square root makes shot noise uniform (Anscombe 1948); normalization removes slow changes of light.
struct LocalContrast: Sendable {
  /// Square root of light.
  let root: Plane
  /// 1 where samples are saturated, fractional nearby.
  let clipped: Plane
  /// Normalized contrast; NaN where samples are saturated.
  let plane: Plane
  /// Pixels of the picture per pixel of this one, along a side.
  let scale: Double
  private let noise: LightNoise
  private let halvings: Int

  private static var radius: Int { 8 }

  /// Creates the contrast of light at the working size.
  init(_ reduced: ReducedLight, pool: WorkerPool) {
    let noise = LightNoise(reduced)
    let root = reduced.light.combined(with: reduced.light, pool: pool) { light, _ in noise.root(light) }
    self.init(root: root, clipped: reduced.clipped, scale: Double(reduced.scale), noise: noise, halvings: 0, pool: pool)
  }

  /// Returns the contrast at half the size.
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
      // Contrast below half a per cent is not structure.
      1 / (max(spread, 0).squareRoot() + floor + 0.004 * abs(mean) + .leastNormalMagnitude)
    }
    let centered = smooth.combined(with: mean, pool: pool) { $0 - $1 }
    let normalized = centered.combined(with: contrast, pool: pool) { min(max($0 * $1, -4), 4) }
    plane = normalized.combined(with: masked, pool: pool) { $1 > 0 ? .nan : $0 }
  }
}
