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

/// The noise of reduced light: its variance is `factor * (light + offset)`.
struct LightNoise: Sendable {
  /// Variance per unit of light.
  let factor: Float
  /// Light whose shot noise equals the noise of black.
  let offset: Float

  /// Standard deviation of white noise after the binomial filter, per standard deviation before it.
  static let smoothed: Float = 70.0 / 256

  /// Uses the noise stated by the picture, else an estimate.
  init(_ reduced: ReducedLight) {
    if let stated = reduced.statedNoise, stated.factor > 0 {
      // Demosaiced colours share noise, so binning reduces it less.
      (factor, offset) = (1.5 * stated.factor, stated.read / stated.factor)
    } else {
      let black = 4 * reduced.light.noise(quantile: 0.1)
      let deviation = reduced.light.noise(quantile: 0.4) { max($0 + black, 0).squareRoot() }
      (factor, offset) = (6 * deviation * deviation, black)
    }
  }

  /// Returns the square root of light, which has uniform noise (Anscombe 1948).
  @inline(__always)
  func root(_ light: Float) -> Float { max(light + offset, 0).squareRoot() }

  /// The standard deviation of `root`.
  var rootDeviation: Float { factor.squareRoot() / 2 }

  @inline(__always)
  func smoothedVariance(_ light: Float) -> Float { max(light + offset, 0) * (factor * Self.smoothed * Self.smoothed) }
}

extension Plane {
  /// Returns the standard deviation of noise, from the smoothest parts of a picture.
  ///
  /// Source: Immerkær (1996), "Fast noise variance estimation"; here with the fourth difference 1 -4 6 -4 1 in both
  /// directions, which is less sensitive to picture content. Its mean absolute value is taken in tiles.
  /// - Parameters:
  ///   - quantile: Quantile of the tiles that is returned, from 0, the smoothest, to 1.
  ///   - value: Transforms the plane's values.
  func noise(quantile: Double, of value: (Float) -> Float = { $0 }) -> Float {
    let side = 10
    var tiles: [Float] = []
    // At most about 2000 tiles.
    let step = max(side, Int((Double(size.width * size.height) / 2000).squareRoot()))
    for y in stride(from: 2, to: size.height - side - 2, by: step) {
      for x in stride(from: 2, to: size.width - side - 2, by: step) {
        let noise = meanFourthDifference(x, y, side, value)
        // Perfectly flat tiles are clipped black or white.
        if noise > 0 { tiles.append(noise) }
      }
    }
    guard !tiles.isEmpty else { return 0 }
    tiles.sort()
    // For a normal distribution, the mean absolute value is sqrt(2 / pi) of the deviation; the mask has a norm of 70.
    return tiles[Int(Double(tiles.count - 1) * quantile)] * (Float.pi / 2).squareRoot() / 70
  }

  private func meanFourthDifference(_ x: Int, _ y: Int, _ side: Int, _ value: (Float) -> Float) -> Float {
    let weights: [Float] = [1, -4, 6, -4, 1]
    var sum: Float = 0
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: side + 4) { columns in
      for line in y..<y + side {
        unsafe columns.update(repeating: 0)
        for index in 0..<5 {
          let source = unsafe row(line + index - 2)
          for column in 0..<side + 4 { unsafe columns[column] += weights[index] * value(source[x + column - 2]) }
        }
        for column in 0..<side {
          let (outer, inner) = unsafe (columns[column] + columns[column + 4], columns[column + 1] + columns[column + 3])
          unsafe sum += abs(outer - 4 * inner + 6 * columns[column + 2])
        }
      }
    }
    return sum / Float(side * side)
  }
}
