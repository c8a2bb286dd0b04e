internal import Frames
internal import Rendering

/// Edges in the ratio of two pictures' light: a change of light gives edges in one direction, different content gives
/// edges in many.
struct RatioEdges: Sendable {
  /// 1 where edges have many directions, 0 where they have one.
  private(set) var even: Plane
  /// 1 where the ambient light has an edge that the flash picture lacks. The flash picture contains the ambient light
  /// too, so no shadow causes such an edge.
  private(set) var missing: Plane

  /// Detects edges in smoothed light.
  init(
    _ flash: Plane, _ ambient: Plane, bound: Plane, noise: (flash: LightNoise, ambient: LightNoise), radius: Int,
    pool: WorkerPool
  ) {
    // Below its noise, the flash picture has no usable divisor.
    let darkest = max(noise.flash.smoothedVariance(0).squareRoot(), .leastNormalMagnitude)
    let ratio = flash.combined(with: ambient, pool: pool) { flash, ambient in
      // The square root of the ratio is less skewed. A ratio out of bounds means different content: it is clamped, so
      // that one position does not dominate its row's sums.
      min(max(ambient, 0) / max(flash, darkest), 64).squareRoot()
    }
    // The relative noise of a square root is half of the ratio's; differences over two pixels of smoothed noise have
    // 1.2 times its variance, in two directions.
    let floor = flash.combined(with: ambient, pool: pool) { flash, ambient in
      guard flash > darkest, ambient > 0 else { return 0 }
      let relative =
        noise.flash.smoothedVariance(flash) / (flash * flash)
        + noise.ambient.smoothedVariance(ambient) / (ambient * ambient)
      return 0.25 * 2.4 * relative * ambient / flash
    }
    even = Self.coherence(ratio, floor, radius: radius, pool: pool).combined(with: ratio, pool: pool) { coherence, _ in
      MismatchDetector.ramp(coherence, 0.8, 0.55)
    }
    missing = Self.missing(ambient, bound, radius: radius - 2, pool: pool)
  }

  private static func gradient(_ plane: Plane, pool: WorkerPool) -> (right: Plane, down: Plane) {
    let (right, down) = (Plane(size: plane.size), Plane(size: plane.size))
    pool.forRows(of: plane.size.height) { rows in
      for y in rows {
        let (above, own, below) = unsafe (plane.clampedRow(y - 1), plane.row(y), plane.clampedRow(y + 1))
        let (across, along) = unsafe (right.row(y), down.row(y))
        for x in 0..<own.count {
          unsafe across[x] = own[min(x + 1, own.count - 1)] - own[max(x - 1, 0)]
          unsafe along[x] = below[x] - above[x]
        }
      }
    }
    return (right, down)
  }

  /// Returns the coherence of gradients around each pixel: 0, all directions, to 1, one.
  ///
  /// Source: Bigün and Granlund (1987), "Optimal orientation detection of linear symmetry".
  private static func coherence(_ plane: Plane, _ floor: Plane, radius: Int, pool: WorkerPool) -> Plane {
    let (right, down) = gradient(plane, pool: pool)
    func mean(_ value: @escaping @Sendable (Float, Float) -> Float) -> Plane {
      right.combined(with: down, pool: pool, value).boxMeans(radius: radius, pool: pool)
    }
    let (along, across) = (mean { $0 * $0 - $1 * $1 }, mean { 2 * $0 * $1 })
    let squares = along.combined(with: across, pool: pool) { ($0 * $0 + $1 * $1).squareRoot() }
    let total = mean { $0 * $0 + $1 * $1 }.combined(with: floor, pool: pool) { max($0 - $1, 0.2 * $0) }
    return squares.combined(with: total, pool: pool) { $0 / ($1 + .leastNormalMagnitude) }
  }

  private static func missing(_ ambient: Plane, _ bound: Plane, radius: Int, pool: WorkerPool) -> Plane {
    let (own, other) = (gradient(ambient, pool: pool), gradient(bound, pool: pool))
    let right = own.right.boxMeans(radius: radius, pool: pool)
    let down = own.down.boxMeans(radius: radius, pool: pool)
    let energy = other.right.combined(with: other.down, pool: pool) { $0 * $0 + $1 * $1 }
      .boxMeans(radius: radius, pool: pool)
    let result = Plane(size: ambient.size)
    pool.forRows(of: ambient.size.height) { rows in
      for y in rows {
        for x in 0..<ambient.size.width {
          let (a, b) = unsafe (right.row(y)[x], down.row(y)[x])
          let share = unsafe energy.row(y)[x] / (a * a + b * b + .leastNormalMagnitude)
          unsafe result.row(y)[x] = MismatchDetector.ramp(share, 0.5, 0.25)
        }
      }
    }
    return result
  }
}
