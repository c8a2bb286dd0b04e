internal import ColorScience
internal import Frames

/// Confidence per block: how precisely the flash light is known, and whether both pictures show the same scene.
struct BlockConfidence: Sendable {
  /// 0...1, before clipping is considered.
  let map: BlockMap

  /// Relative colour uncertainty in the light of the flash, from full confidence to none.
  static let uncertainty = 0.015...0.1
  /// Effective number of samples in a block's mean, neighbouring blocks included.
  private static let sampleCount = 40.0

  /// - Parameters:
  ///   - blocks: Means of the two pictures.
  ///   - pair: The noise and gain of the pictures.
  ///   - transform: From components to colour; components that it amplifies are less certain.
  ///   - mismatch: How much the pictures disagree.
  init(_ blocks: PairBlocks, _ pair: LinearPair, _ transform: FlashTransform, mismatch: BlockMap) {
    let (flash, ambient) = (blocks.flash.map { $0.smoothed() }, blocks.ambient.map { $0.smoothed() })
    let matrix = Matrix3(diagonal: 1 / (transform.toXYZ * transform.white)) * transform.toXYZ
    let movement = mismatch.dilated()
    var map = BlockMap(covering: pair.size)
    for index in map.values.indices {
      let moved = Double(min(max(movement.values[index], 0), 1))
      map.values[index] = Float(
        Self.certainty(flash.color(at: index), ambient.color(at: index), moved: moved, pair, matrix))
    }
    self.map = map.withoutSpecks()
  }

  /// By how many standard deviations the flash appears to remove light from a channel. No flash does so: the white
  /// balance or the exposures changed, or something moved.
  private static func shortage(
    _ difference: SIMD3<Double>, _ ambient: SIMD3<Double>, _ variance: SIMD3<Double>, _ pair: LinearPair
  ) -> Double {
    let tolerance = LinearPair.exposureTolerance * pair.gain * ambient
    let deviation = (variance + tolerance * tolerance).squareRoot()
    return (-difference / (deviation + 1e-12)).max()
  }

  /// Returns 1 where the flash light is well known, 0 where it is lost in noise or in the exposure tolerance.
  ///
  /// Where something moved, the ambient light may be wrong by its full amount, which is little in a dark room.
  /// - Parameters:
  ///   - moved: 0...1.
  ///   - matrix: To XYZ normalized to equal white components.
  private static func certainty(
    _ flash: SIMD3<Double>, _ ambient: SIMD3<Double>, moved: Double, _ pair: LinearPair, _ matrix: Matrix3
  ) -> Double {
    let difference = flash - pair.gain * ambient
    let light = (matrix.row1 * difference).sum()
    guard light > 0, light.isFinite else { return 0 }
    let variance = pair.variance(flash: flash, ambient: ambient) / sampleCount
    let squares = Matrix3(matrix.row0 * matrix.row0, matrix.row1 * matrix.row1, matrix.row2 * matrix.row2)
    let tolerance = (LinearPair.exposureTolerance + moved) * pair.gain * (matrix * ambient)
    let relative = ((squares * variance + tolerance * tolerance).sum() / 3).squareRoot() / light
    let believed = 1 - smoothstep(relative, from: uncertainty.lowerBound, to: uncertainty.upperBound)
    return believed * (1 - smoothstep(shortage(difference, ambient, variance, pair), from: 3, to: 6))
  }
}

/// Returns 0 up to `start`, 1 from `end`, and a smooth transition between.
func smoothstep<Value: BinaryFloatingPoint>(_ value: Value, from start: Value, to end: Value) -> Value {
  let t = min(max((value - start) / (end - start), 0), 1)
  return t * t * (3 - 2 * t)
}
