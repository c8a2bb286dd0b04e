internal import Frames
internal import Rendering

/// Finds where two registered pictures show different things.
///
/// The flash adds light, so all that the lamp shows is in both pictures. Around a pixel, the ambient light is a linear
/// function of the light with the flash: at edges of a surface both are in proportion, at a shadow of the lamp they
/// change by the same, at a shadow of the flash the ambient light stays. Structure of the ambient picture that no such
/// function explains is something that moved. Structure of the flash picture alone may be its shadow, a single edge;
/// only what has edges in several directions is something that moved.
struct MismatchDetector {
  private let flash: Plane
  private let ambient: Plane
  /// Light of the flash picture in the channels and the exposure of the ambient picture.
  private let bound: Plane
  private let excluded: Plane
  private let noise: (flash: NoiseFloor, ambient: NoiseFloor)
  private let pool: WorkerPool

  private static let radius = 3

  /// The variance of smoothed light.
  struct NoiseFloor: Sendable {
    let offset: Float
    let factor: Float

    init(_ contrast: LocalContrast, _ light: ReducedLight) {
      offset = SquareRoot(light.light).offset
      let deviation = contrast.root.noise() * LocalContrast.smoothedNoise
      // The derivative of a root: the variance of light is 4 (light + offset) times that of the root.
      factor = 4 * deviation * deviation
    }

    @inline(__always)
    func variance(_ light: Float) -> Float { max(light + offset, 0) * factor }
  }

  init(_ pyramid: PicturePyramid, bound: ReducedLight, map: PixelMap, of size: Size, pool: WorkerPool) {
    self.pool = pool
    let scale = Double(pyramid.flashLight.scale)
    let warped = pyramid.ambientLight.light.resampled(map, scale: scale, of: size, pool: pool)
    let clipped = pyramid.ambientLight.clipped.resampled(map, scale: scale, of: size, pool: pool)
    // 1: saturated, not a number: not covered.
    excluded = pyramid.flashLight.clipped.combined(with: clipped, pool: pool) { $1 == $1 ? max($0, $1 > 0.02 ? 1 : 0) : $1 }
    flash = pyramid.flashLight.light.smoothed(pool: pool)
    ambient = warped.combined(with: warped, pool: pool) { own, _ in own == own ? own : 0 }.smoothed(pool: pool)
    self.bound = bound.light.smoothed(pool: pool)
    noise = (
      NoiseFloor(pyramid.flash[0], pyramid.flashLight), NoiseFloor(pyramid.ambient[0], pyramid.ambientLight)
    )
  }

  /// Evidence for each pixel: 1, something moved; -1, the pictures show the same; 0, nothing is known.
  func evidence() -> Plane {
    let moments = WindowMoments(flash: flash, ambient: ambient, radius: Self.radius, pool: pool)
    let coherence = flash.coherence(radius: Self.radius, pool: pool)
    let near = excluded.boxMeans(radius: Self.radius + 2, pool: pool)
    let result = Plane(size: flash.size)
    pool.forRows(of: flash.size.height) { [self] rows in
      for y in rows {
        let (target, near, excluded) = unsafe (result.row(y), near.row(y), excluded.row(y))
        for x in 0..<target.count {
          if unsafe excluded[x] != excluded[x] {
            unsafe target[x] = 1
          } else if unsafe near[x] == 0 {
            unsafe target[x] = evidence(moments, coherence.row(y)[x], x, y)
          }
        }
      }
    }
    return result
  }

  @inline(__always)
  private func evidence(_ moments: WindowMoments, _ coherence: Float, _ x: Int, _ y: Int) -> Float {
    let means = unsafe (flash: moments.flash.row(y)[x], ambient: moments.ambient.row(y)[x], bound: bound.row(y)[x])
    let variances = unsafe (
      flash: max(moments.flashVariance.row(y)[x], 0), ambient: max(moments.ambientVariance.row(y)[x], 0)
    )
    let covariance = unsafe moments.covariance.row(y)[x]
    let floors = (flash: noise.flash.variance(means.flash), ambient: noise.ambient.variance(means.ambient))
    guard means.flash > 0, means.ambient > 0 else { return 0 }
    let ratio = means.ambient / means.flash
    // Reflectance has the slope `ratio`, a shadow of the lamp that of the bound.
    let steepest = 1.3 * ratio * min(max(means.bound / means.ambient, 1), 30)
    let slope = min(max(covariance / (variances.flash + .leastNormalMagnitude), 0), steepest)
    let alone = Unexplained(
      variances.ambient, variances.flash, covariance, slope: slope, floors: (floors.ambient, floors.flash),
      mean: means.ambient)
    let inverse = min(max(covariance / (variances.ambient + .leastNormalMagnitude), 0), 1.3 / ratio)
    let extra = Unexplained(
      variances.flash, variances.ambient, covariance, slope: inverse,
      // What the ambient picture would not show above its noise tells nothing.
      floors: (floors.flash + floors.ambient / (ratio * ratio), floors.ambient), mean: means.flash)
    let moved = max(alone.share, extra.share * Self.ramp(coherence, 0.85, 0.6))
    if moved > 0 { return moved }
    let isTextured = variances.ambient > 9 * floors.ambient + 4e-4 * means.ambient * means.ambient
    return isTextured && alone.fraction < 0.2 ? -1 : 0
  }

  /// What is left of a picture's variance when the other one explains part of it.
  private struct Unexplained {
    /// Part of the variance above noise.
    let fraction: Float
    /// From 0, nothing, to 1, surely something that the other picture lacks.
    let share: Float

    @inline(__always)
    init(
      _ own: Float, _ other: Float, _ covariance: Float, slope: Float, floors: (own: Float, other: Float), mean: Float
    ) {
      let rest = max(own - 2 * slope * covariance + slope * slope * other, 0)
      let floor = floors.own + slope * slope * floors.other
      fraction = max(rest - floor, 0) / (own + .leastNormalMagnitude)
      // Less than three per cent of contrast does not matter.
      let significance = rest / (3 * floor + 9e-4 * mean * mean + .leastNormalMagnitude)
      share = MismatchDetector.ramp(fraction, 0.35, 0.6) * MismatchDetector.ramp(significance, 1, 2)
    }
  }

  /// From 0 at `start` to 1 at `end`.
  @inline(__always)
  static func ramp(_ value: Float, _ start: Float, _ end: Float) -> Float {
    min(max((value - start) / (end - start), 0), 1)
  }
}

extension Plane {
  /// How far gradients around each pixel have one direction: 0, all directions, to 1, one.
  ///
  /// Source: Bigün and Granlund (1987), "Optimal orientation detection of linear symmetry".
  func coherence(radius: Int, pool: WorkerPool) -> Plane {
    let (along, across) = (Plane(size: size), Plane(size: size))
    let total = Plane(size: size)
    pool.forRows(of: size.height) { [self] rows in
      for y in rows {
        let (above, own, below) = unsafe (clampedRow(y - 1), row(y), clampedRow(y + 1))
        for x in 0..<size.width {
          let right = unsafe own[min(x + 1, size.width - 1)] - own[max(x - 1, 0)]
          let down = unsafe below[x] - above[x]
          unsafe along.row(y)[x] = right * right - down * down
          unsafe across.row(y)[x] = 2 * right * down
          unsafe total.row(y)[x] = right * right + down * down
        }
      }
    }
    let squares = along.boxMeans(radius: radius, pool: pool).combined(
      with: across.boxMeans(radius: radius, pool: pool), pool: pool) { ($0 * $0 + $1 * $1).squareRoot() }
    return squares.combined(with: total.boxMeans(radius: radius, pool: pool), pool: pool) {
      $0 / ($1 + .leastNormalMagnitude)
    }
  }
}
