internal import Frames
internal import Rendering

/// A picture at the working size of registration: one value of light per square of pixels.
struct ReducedLight: Sendable {
  /// The weighted sums of R, G and B.
  let light: Plane
  /// 1 where a sample is saturated, else 0.
  let clipped: Plane
  /// Side of a square in pixels of the picture.
  let scale: Int
  /// Variance per unit of light, and without light, if the picture states its noise.
  let statedNoise: (factor: Float, read: Float)?

  /// Returns the side of the squares: reduced pictures have at most 1400 columns and rows.
  /// - Parameter isInterpolated: Neighbouring samples share noise; only means over them are independent.
  static func scale(for size: Size, isInterpolated: Bool) -> Int {
    var scale = isInterpolated ? 2 : 1
    while max(size.width, size.height) / scale > 1400 { scale *= 2 }
    return min(scale, size.width, size.height)
  }

  /// Reduces a picture.
  /// - Parameters:
  ///   - image: The picture.
  ///   - weights: Weights of its channels.
  ///   - pool: Worker threads.
  init(_ image: SceneImage, weights: SIMD3<Float>, pool: WorkerPool) {
    let scale = Self.scale(for: image.size, isInterpolated: image.description.sampleDensity.min() < 1)
    self.scale = scale
    let size = Size(width: image.size.width / scale, height: image.size.height / scale)
    (light, clipped) = (Plane(size: size), Plane(size: size))
    let levels = ChannelLevels(image)
    let limits = levels.limits
    statedNoise = image.description.noise.map { noise in
      let (shot, read) = (SIMD3<Float>(noise.shot), SIMD3<Float>(noise.read))
      let (medians, count) = (
        levels.medians.clamped(lowerBound: .zero, upperBound: limits.highest), Float(scale * scale)
      )
      let light = max((weights * medians).sum(), .leastNormalMagnitude)
      return ((weights * weights * shot * medians).sum() / light / count, (weights * weights * read).sum() / count)
    }
    pool.forRows(of: size.height) { [light, clipped, scale] rows in
      for y in rows {
        for channel in 0..<3 {
          for line in y * scale..<(y + 1) * scale {
            let limit = (limits.highest[channel], limits.saturated[channel])
            unsafe Self.add(
              image.row(channel, line), weights[channel] / Float(scale * scale), limit, scale, light.row(y),
              clipped.row(y))
          }
        }
      }
    }
  }

  @inline(__always)
  private static func add(
    _ source: UnsafeMutableBufferPointer<Float>, _ weight: Float, _ limit: (highest: Float, saturated: Float),
    _ scale: Int, _ light: UnsafeMutableBufferPointer<Float>, _ clipped: UnsafeMutableBufferPointer<Float>
  ) {
    for x in 0..<light.count {
      var (sum, highest) = (Float(0), Float(0))
      for index in x * scale..<(x + 1) * scale {
        // NaN becomes 0.
        let sample = unsafe source[index] > -limit.highest ? min(source[index], limit.highest) : 0
        sum += sample
        highest = max(highest, sample)
      }
      unsafe light[x] += sum * weight
      if highest >= limit.saturated { unsafe clipped[x] = 1 }
    }
  }
}

/// Typical values of the channels of a picture, from sampled pixels.
struct ChannelLevels {
  /// The medians.
  private(set) var medians = SIMD3<Float>(repeating: 0)
  /// `highest` is the clamping level, `saturated` the level from which samples carry no information.
  private(set) var limits = (highest: SIMD3<Float>(repeating: 0), saturated: SIMD3<Float>(repeating: 0))

  /// Samples about ten thousand pixels.
  init(_ image: SceneImage) {
    let (width, height) = (image.size.width, image.size.height)
    let (columns, rows) = (min(width, 128), min(height, 96))
    for channel in 0..<3 {
      var samples: [Float] = []
      for row in 0..<rows {
        for column in 0..<columns {
          let sample = image[channel, (2 * column + 1) * width / (2 * columns), (2 * row + 1) * height / (2 * rows)]
          if sample.isFinite { samples.append(sample) }
        }
      }
      samples.sort()
      guard let last = samples.last else { continue }
      medians[channel] = samples[samples.count / 2]
      // A few extremely bright pixels must not outweigh all others.
      let highest = max(4 * samples[samples.count * 99 / 100], min(last, 16 * max(medians[channel], 0)))
      let saturation = image.description.saturation?[channel] ?? .infinity
      limits.highest[channel] = min(max(highest, .leastNormalMagnitude), 1e30, saturation > 0 ? saturation : 1e30)
      limits.saturated[channel] = 0.98 * saturation
    }
  }
}

/// The contrast of both pictures, at the working size and successively smaller sizes.
struct PicturePyramid: Sendable {
  /// Light of the flash picture at the working size, in the unit of its channels, weighted to match the ambient light.
  let flashLight: ReducedLight
  /// Light of the ambient picture at the working size.
  let ambientLight: ReducedLight
  /// Weights of the ambient picture's channels in its light.
  let ambientWeights: SIMD3<Float>
  /// Contrast of the flash picture, largest first.
  let flash: [LocalContrast]
  /// Contrast of the ambient picture, in the same sizes.
  let ambient: [LocalContrast]

  /// Reduces both pictures.
  init(of flash: SceneImage, in ambient: SceneImage, pool: WorkerPool) {
    let weights = Self.weights(ChannelLevels(flash).medians, ChannelLevels(ambient).medians)
    flashLight = ReducedLight(flash, weights: weights.flash, pool: pool)
    ambientLight = ReducedLight(ambient, weights: weights.ambient, pool: pool)
    ambientWeights = weights.ambient
    var levels = [(LocalContrast(flashLight, pool: pool), LocalContrast(ambientLight, pool: pool))]
    while let last = levels.last, max(last.0.plane.size.width, last.0.plane.size.height) > StartSearch.side {
      levels.append((last.0.halved(pool: pool), last.1.halved(pool: pool)))
    }
    self.flash = levels.map(\.0)
    self.ambient = levels.map(\.1)
  }

  /// Returns channel weights that make surfaces look alike in both pictures despite differently coloured light: each
  /// channel contributes its share of the ambient light.
  private static func weights(
    _ flash: SIMD3<Float>, _ ambient: SIMD3<Float>
  ) -> (flash: SIMD3<Float>, ambient: SIMD3<Float>) {
    let total = ambient.sum()
    guard flash.min() > 0, ambient.min() > 0, total.isFinite else {
      return (SIMD3(repeating: 1 / 3), SIMD3(repeating: 1 / 3))
    }
    return (ambient / flash / total, SIMD3(repeating: 1 / total))
  }
}
