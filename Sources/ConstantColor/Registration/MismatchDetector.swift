internal import Frames
internal import Rendering

/// Finds areas where two registered pictures show different content.
///
/// The flash adds light, so everything lit by ambient light is in both pictures. Around a pixel, the ambient light is a
/// linear function of the light with the flash: at surface edges both are in proportion, at a shadow of the ambient
/// light they change by the same amount, and at a shadow of the flash the ambient light is constant. Ambient structure
/// that no such function explains is movement. Structure in the flash picture alone may be a shadow of the flash, which
/// is a single edge; only edges in several directions are movement.
struct MismatchDetector {
  private let flash: Plane
  private let ambient: Plane
  /// Light of the flash picture in the channels and at the exposure of the ambient picture.
  private let bound: Plane
  private let excluded: Plane
  private let noise: (flash: LightNoise, ambient: LightNoise)
  private let pool: WorkerPool

  private static let radius = 3

  init(_ pyramid: PicturePyramid, bound: ReducedLight, map: PixelMap, of size: Size, pool: WorkerPool) {
    self.pool = pool
    let scale = Double(pyramid.flashLight.scale)
    let warped = pyramid.ambientLight.light.resampled(map, scale: scale, of: size, pool: pool)
    let clipped = pyramid.ambientLight.clipped.resampled(map, scale: scale, of: size, pool: pool)
    // 1: saturated; NaN: not covered.
    excluded = pyramid.flashLight.clipped.combined(with: clipped, pool: pool) {
      $1 == $1 ? max($0, $1 > 0.02 ? 1 : 0) : $1
    }
    flash = pyramid.flashLight.light.smoothed(pool: pool)
    ambient = warped.combined(with: warped, pool: pool) { own, _ in own == own ? own : 0 }.smoothed(pool: pool)
    self.bound = bound.light.smoothed(pool: pool)
    noise = (LightNoise(pyramid.flashLight), LightNoise(pyramid.ambientLight))
  }

  /// Returns evidence per pixel: 1, something moved; -1, the pictures show the same; 0, unknown.
  func evidence() -> Plane {
    let moments = WindowMoments(flash: flash, ambient: ambient, radius: Self.radius, pool: pool)
    let edges = RatioEdges(flash, ambient, bound: bound, noise: noise, radius: Self.radius + 1, pool: pool)
    let shifted = minimumUnexplained(moments)
    let near = excluded.boxMeans(radius: Self.radius + 2, pool: pool)
    let result = Plane(size: flash.size)
    pool.forRows(of: flash.size.height) { [self] rows in
      for y in rows {
        let (target, near, excluded) = unsafe (result.row(y), near.row(y), excluded.row(y))
        for x in 0..<target.count {
          if unsafe excluded[x] != excluded[x] {
            unsafe target[x] = 1
          } else if unsafe near[x] == 0 {
            unsafe target[x] = evidence(
              LocalLight(moments, bound, noise, x, y), shifted.row(y)[x], edges.even.row(y)[x],
              edges.missing.row(y)[x])
          }
        }
      }
    }
    return result
  }

  @inline(__always)
  private func evidence(_ light: LocalLight, _ shifted: Float, _ many: Float, _ missing: Float) -> Float {
    guard light.flash > 0, light.ambient > 0 else { return 0 }
    let slope = light.slope(light.covariance, light.flashVariance)
    let alone = Unexplained(
      light.ambientVariance, light.flashVariance, light.covariance, slope: slope,
      floors: (light.ambientFloor, light.flashFloor), mean: light.ambient)
    let ratio = light.ambient / light.flash
    let inverse = min(max(light.covariance / (light.ambientVariance + .leastNormalMagnitude), 0), 1.3 / ratio)
    let extra = Unexplained(
      light.flashVariance, light.ambientVariance, light.covariance, slope: inverse,
      // Structure that would be below the noise of the ambient picture is inconclusive.
      floors: (light.flashFloor + light.ambientFloor / (ratio * ratio), light.ambientFloor), mean: light.flash)
    // This part of the ambient picture matches another position in the flash picture, and no shadow explains a larger
    // contrast in either.
    let contrasts = light.ambientVariance / (ratio * ratio * light.flashVariance + .leastNormalMagnitude)
    let isElsewhere =
      contrasts < 0.3 || contrasts > 3
      ? 0
      : Self.ramp(alone.fraction, 0.2, 0.3) * Self.ramp(alone.significance, 1, 2)
        * Self.ramp(shifted / (light.ambientVariance + .leastNormalMagnitude), 0.12, 0.06)
    let moved = max(alone.share * max(many, missing), extra.share * many, isElsewhere)
    if moved > 0 { return moved }
    let isTextured =
      light.ambientVariance > 9 * light.ambientFloor + 4e-4 * light.ambient * light.ambient
    return isTextured && alone.fraction < 0.2 ? -1 : 0
  }

  /// Returns the minimum unexplained ambient light over small shifts of the flash picture.
  private func minimumUnexplained(_ moments: WindowMoments) -> Plane {
    let minimum = Plane(size: flash.size)
    let shifts = [
      (2, 0), (2, 2), (0, 2), (-2, 2), (-2, 0), (-2, -2), (0, -2), (2, -2), (4, 0), (0, 4), (-4, 0), (0, -4),
    ]
    for (index, shift) in shifts.enumerated() {
      let product = Plane(size: flash.size)
      pool.forRows(of: flash.size.height) { [self] rows in
        for y in rows {
          let (own, other, target) = unsafe (ambient.row(y), flash.clampedRow(y + shift.1), product.row(y))
          for x in 0..<target.count { unsafe target[x] = own[x] * other[min(max(x + shift.0, 0), other.count - 1)] }
        }
      }
      let means = product.boxMeans(radius: Self.radius, pool: pool)
      pool.forRows(of: flash.size.height) { [self] rows in
        for y in rows {
          for x in 0..<flash.size.width {
            let rest = LocalLight(moments, bound, noise, x, y, shift).rest(unsafe means.row(y)[x])
            let target = unsafe minimum.row(y)
            unsafe target[x] = index == 0 ? rest : min(target[x], rest)
          }
        }
      }
    }
    return minimum
  }

  /// The light of both pictures around a pixel; the flash picture may be shifted.
  private struct LocalLight {
    let flash, ambient, bound, flashVariance, ambientVariance, covariance, flashFloor, ambientFloor: Float

    @inline(__always)
    init(
      _ moments: WindowMoments, _ bound: Plane, _ noise: (flash: LightNoise, ambient: LightNoise), _ x: Int, _ y: Int,
      _ shift: (x: Int, y: Int) = (0, 0)
    ) {
      let other = min(max(x + shift.x, 0), moments.flash.size.width - 1)
      unsafe flash = moments.flash.clampedRow(y + shift.y)[other]
      unsafe flashVariance = max(moments.flashVariance.clampedRow(y + shift.y)[other], 0)
      unsafe ambient = moments.ambient.row(y)[x]
      unsafe ambientVariance = max(moments.ambientVariance.row(y)[x], 0)
      unsafe covariance = moments.covariance.row(y)[x]
      unsafe self.bound = bound.row(y)[x]
      flashFloor = noise.flash.smoothedVariance(flash)
      ambientFloor = noise.ambient.smoothedVariance(ambient)
    }

    /// Returns the slope of ambient light over flash light, within limits: reflectance gives the ratio of the pictures,
    /// an ambient shadow the ratio of the bound.
    @inline(__always)
    func slope(_ covariance: Float, _ variance: Float) -> Float {
      let steepest = 1.3 * ambient / flash * min(max(bound / ambient, 1), 30)
      return min(max(covariance / (variance + .leastNormalMagnitude), 0), steepest)
    }

    /// Returns the unexplained variance, given the mean of the products.
    @inline(__always)
    func rest(_ product: Float) -> Float {
      guard flash > 0, ambient > 0 else { return ambientVariance }
      let covariance = product - flash * ambient
      // Moving objects have their own contrast.
      let slope = min(slope(covariance, flashVariance), 1.5 * ambient / flash)
      return max(ambientVariance - 2 * slope * covariance + slope * slope * flashVariance - ambientFloor, 0)
    }
  }

  /// The variance of a picture that the other one does not explain.
  private struct Unexplained {
    /// Fraction of the variance above noise.
    let fraction: Float
    /// From 0, none, to 1, certainly content that the other picture lacks.
    let share: Float
    /// The remaining variance, and its ratio to noise and negligible contrast.
    let rest, significance: Float

    @inline(__always)
    init(
      _ own: Float, _ other: Float, _ covariance: Float, slope: Float, floors: (own: Float, other: Float), mean: Float
    ) {
      rest = max(own - 2 * slope * covariance + slope * slope * other, 0)
      let floor = floors.own + slope * slope * floors.other
      fraction = max(rest - floor, 0) / (own + .leastNormalMagnitude)
      // Contrast below four per cent is negligible.
      significance = rest / (3 * floor + 16e-4 * mean * mean + .leastNormalMagnitude)
      share = MismatchDetector.ramp(fraction, 0.5, 0.75) * MismatchDetector.ramp(significance, 1.5, 3)
    }
  }

  /// Returns 0 at `start` to 1 at `end`.
  @inline(__always)
  static func ramp(_ value: Float, _ start: Float, _ end: Float) -> Float {
    min(max((value - start) / (end - start), 0), 1)
  }
}

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
