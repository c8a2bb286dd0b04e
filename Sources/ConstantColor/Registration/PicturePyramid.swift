internal import Frames
internal import Rendering

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
