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

  private static var radius: Int { 8 }
  /// Standard deviation of white noise after the binomial filter, per standard deviation before it.
  static var smoothedNoise: Float { 70.0 / 256 }

  /// From light at the working size.
  init(_ reduced: ReducedLight, pool: WorkerPool) {
    let root = SquareRoot(reduced.light).plane(of: reduced.light, pool: pool)
    self.init(root: root, clipped: reduced.clipped, scale: Double(reduced.scale), pool: pool)
  }

  /// At half the size.
  func halved(pool: WorkerPool) -> LocalContrast {
    LocalContrast(
      root: root.halved(pool: pool), clipped: clipped.halved(pool: pool), scale: 2 * scale, pool: pool)
  }

  private init(root: Plane, clipped: Plane, scale: Double, pool: WorkerPool) {
    (self.root, self.clipped, self.scale) = (root, clipped, scale)
    let smooth = root.smoothed(pool: pool)
    let mean = smooth.boxMeans(radius: Self.radius, pool: pool)
    let deviation = smooth.combined(with: mean, pool: pool) { ($0 - $1) * ($0 - $1) }
    let spread = deviation.boxMeans(radius: Self.radius, pool: pool)
    let noise = 2.5 * Self.smoothedNoise * root.noise()
    let masked = clipped.boxMeans(radius: 2, pool: pool)
    let contrast = spread.combined(with: mean, pool: pool) { spread, mean in
      // Less than half a per cent of contrast is no structure.
      1 / (max(spread, 0).squareRoot() + noise + 0.004 * abs(mean) + .leastNormalMagnitude)
    }
    let centered = smooth.combined(with: mean, pool: pool) { $0 - $1 }
    let normalized = centered.combined(with: contrast, pool: pool) { min(max($0 * $1, -4), 4) }
    plane = normalized.combined(with: masked, pool: pool) { $1 > 0 ? .nan : $0 }
  }
}

/// The root of light that makes noise even: near black, where noise does not fall with light, it becomes linear.
struct SquareRoot: Sendable {
  /// Noise of black, in the unit of light.
  let offset: Float

  /// For the light of a picture.
  init(_ light: Plane) { offset = 4 * light.noise(quantile: 0.1) }

  /// The root of a value.
  @inline(__always)
  func callAsFunction(_ light: Float) -> Float { max(light + offset, 0).squareRoot() }

  /// The roots of a plane.
  func plane(of light: Plane, pool: WorkerPool) -> Plane {
    light.combined(with: light, pool: pool) { light, _ in self(light) }
  }
}

extension Plane {
  /// The standard deviation of noise, from the evenest parts of a picture.
  ///
  /// Source: Immerkær (1996), "Fast noise variance estimation", the mask; its mean absolute value is taken in tiles, of
  /// which a low quantile has the least texture.
  func noise(quantile: Double = 0.25) -> Float {
    let side = 12
    var tiles: [Float] = []
    // At most about 2000 tiles.
    let step = max(side, Int((Double(size.width * size.height) / 2000).squareRoot()))
    var y = 1
    while y + side < size.height {
      var x = 1
      while x + side < size.width {
        let noise = meanSecondDifference(x, y, side)
        // Exactly even parts are black or white that was cut off.
        if noise > 0 { tiles.append(noise) }
        x += step
      }
      y += step
    }
    guard !tiles.isEmpty else { return 0 }
    tiles.sort()
    // Of a normal distribution, the mean absolute value is sqrt(2 / pi) of the deviation; the mask has a norm of 6.
    return tiles[Int(Double(tiles.count - 1) * quantile)] * (Float.pi / 2).squareRoot() / 6
  }

  private func meanSecondDifference(_ x: Int, _ y: Int, _ side: Int) -> Float {
    var sum: Float = 0
    for line in y..<y + side {
      let (above, own, below) = unsafe (row(line - 1), row(line), row(line + 1))
      for column in x..<x + side {
        let corners = unsafe above[column - 1] + above[column + 1] + below[column - 1] + below[column + 1]
        let edges = unsafe above[column] + own[column - 1] + own[column + 1] + below[column]
        unsafe sum += abs(corners - 2 * edges + 4 * own[column])
      }
    }
    return sum / Float(side * side)
  }
}
