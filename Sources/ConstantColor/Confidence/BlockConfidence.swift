internal import ColorScience
internal import Frames

/// The confidence of blocks: how well the light of the flash is known there, and whether both pictures show the same.
struct BlockConfidence: Sendable {
  /// 0...1, clipping aside.
  let map: BlockMap

  /// Relative uncertainty of the colour in the light of the flash up to which a block is believed fully, and from which
  /// not at all.
  static let uncertainty = 0.015...0.1
  /// Samples of which a block's light is taken to be the mean: its neighbours count as well.
  private static let sampleCount = 40.0

  /// - Parameters:
  ///   - blocks: Means of the two pictures.
  ///   - pair: The pictures' noise and gain.
  ///   - transform: From components to colour: what it amplifies is less certain.
  ///   - mismatch: How far the pictures disagree.
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

  /// By how many standard deviations the flash seems to take light from a channel, which no flash does: the white balance
  /// or the exposures changed, or something moved.
  private static func shortage(
    _ difference: SIMD3<Double>, _ ambient: SIMD3<Double>, _ variance: SIMD3<Double>, _ pair: LinearPair
  ) -> Double {
    let tolerance = LinearPair.exposureTolerance * pair.gain * ambient
    let deviation = (variance + tolerance * tolerance).squareRoot()
    return (-difference / (deviation + 1e-12)).max()
  }

  /// 1 where the light of the flash is known well, 0 where it drowns in noise or in the tolerance of the exposures.
  ///
  /// Where something moved, the light of the room is wrong by as much as there is: in a dark room that is little.
  /// - Parameters:
  ///   - moved: 0...1.
  ///   - matrix: To XYZ in which white is equal.
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

/// 0 up to `start`, 1 from `end`, and smooth in between.
func smoothstep<Value: BinaryFloatingPoint>(_ value: Value, from start: Value, to end: Value) -> Value {
  let t = min(max((value - start) / (end - start), 0), 1)
  return t * t * (3 - 2 * t)
}
