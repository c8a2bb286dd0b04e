internal import Frames

/// Fills areas where the flash light is unknown with the flash picture: its ambient part gets the colour of the flash,
/// and its brightness is matched to the surroundings.
///
/// A pixel of the flash picture is R · (s · Wf + a · Wa): reflectance, flash light and ambient light. If s and a are
/// roughly known, and Wa is known from trusted areas, dividing by s + a · Wa / Wf leaves R · Wf.
/// Source: Petschnigg et al. (2004), "Digital photography with flash and no-flash image pairs", 5 (white balancing by
/// the ratio of the two pictures).
struct FlashFilling: Sendable {
  /// Gains for R, G, B of the flash picture.
  let gains: [BlockMap]

  /// - Parameters:
  ///   - blocks: Block means of the two pictures.
  ///   - gain: The gain of the ambient picture.
  ///   - confidence: Confidence of the blocks.
  ///   - white: R, G, B of white in the light of the flash.
  init(_ blocks: PairBlocks, gain: Double, confidence: BlockMap, white: SIMD3<Double>) {
    let balanced = Balanced(blocks, gain: gain, confidence: confidence, weights: 1 / white)
    let room = Self.roomColor(balanced)
    let share = Self.flashShare(balanced)
    func balance(_ x: Double, _ y: Double) -> SIMD3<Double> {
      let (room, share) = (room.interpolated(x: x, y: y), share.interpolated(x: x, y: y)[0])
      return 1 / (share + (1 - share) * SIMD3(room[0], room[1], room[2]))
    }
    let brightness = CellGrid(meanOver: confidence.size) { index in
      let (x, y) = Self.cell(index, confidence.size)
      let own = balanced.confidence(index)
      var sums = SIMD8<Double>.zero
      sums[0] = own * balanced.flashOnly(index).sum()
      sums[1] = own * (balanced.flash(index) * balance(x, y)).sum()
      sums[7] = own
      return sums
    }.filled()
    var gains = [BlockMap](repeating: confidence, count: 3)
    for index in confidence.values.indices {
      let (x, y) = Self.cell(index, confidence.size)
      let sums = brightness.interpolated(x: x, y: y)
      let factors = balance(x, y) * (sums[0] > 0 && sums[1] > 0 ? sums[0] / sums[1] : 1)
      for channel in 0..<3 { gains[channel].values[index] = Float(factors[channel]) }
    }
    self.gains = gains
  }

  /// Returns the position of a block's centre in the grid of cell centres.
  private static func cell(_ index: Int, _ size: Size) -> (x: Double, y: Double) {
    let side = Double(CellGrid.side)
    return ((Double(index % size.width) + 0.5) / side - 0.5, (Double(index / size.width) + 0.5) / side - 0.5)
  }

  /// Returns the colour of the ambient light relative to the flash, with mean 1, from trusted blocks.
  private static func roomColor(_ pair: Balanced) -> CellGrid {
    var sums = CellGrid(meanOver: pair.size) { index in
      let (own, room, flash) = (pair.confidence(index), pair.room(index), pair.flashOnly(index))
      return SIMD8(lowHalf: SIMD4(own * room, own * flash.x), highHalf: SIMD4(own * flash.y, own * flash.z, 0, own))
    }.filled().smoothed().smoothed()
    let isKnown = sums.values.contains { $0[7] > 0 }
    // Without trusted blocks, the ambient light is assumed to average to grey.
    let grey = isKnown ? SIMD3<Double>(repeating: 1) : pair.meanRoom
    for cell in sums.values.indices {
      let value = sums.values[cell]
      let (room, flash) = (SIMD3(value[0], value[1], value[2]), SIMD3(value[3], value[4], value[5]))
      let color = isKnown ? relative(room, to: flash) : relative(grey, to: SIMD3(repeating: grey.sum() / 3))
      sums.values[cell] = SIMD8(lowHalf: SIMD4(color, 0), highHalf: .zero)
    }
    return sums
  }

  /// Returns the chromatic ratio of two lights; neutral where there is hardly any light.
  ///
  /// The limits correspond to candlelight against a bluish flash: ratios beyond them are errors.
  private static func relative(_ room: SIMD3<Double>, to flash: SIMD3<Double>) -> SIMD3<Double> {
    let floor = 1e-3 * max(flash.sum(), 0) + 1e-12
    let (room, flash) = (room.clamped(to: 0), flash.clamped(to: 0))
    let ratio = (room + floor) / (flash + floor)
    let mean = ratio.sum() / 3
    return (ratio / mean).clamped(lowerBound: SIMD3(repeating: 0.4), upperBound: SIMD3(repeating: 2.5))
  }

  /// Returns the share of the flash in the light of the flash picture.
  private static func flashShare(_ pair: Balanced) -> CellGrid {
    var grid = CellGrid(meanOver: pair.size) { index in
      var sums = SIMD8<Double>.zero
      sums[0] = max(pair.flashOnly(index).sum(), 0)
      sums[1] = max(pair.room(index).sum(), 0)
      return sums
    }
    grid = grid.smoothed()
    for cell in grid.values.indices {
      let value = grid.values[cell]
      grid.values[cell][0] = value[0] / max(value[0] + value[1], 1e-12)
    }
    return grid
  }

  /// Block means, divided by white.
  private struct Balanced {
    let blocks: PairBlocks
    let gain: Double
    let map: BlockMap
    let weights: SIMD3<Double>

    init(_ blocks: PairBlocks, gain: Double, confidence: BlockMap, weights: SIMD3<Double>) {
      (self.blocks, self.gain, map, self.weights) = (blocks, gain, confidence, weights)
    }

    var size: Size { map.size }

    func confidence(_ index: Int) -> Double {
      // Clipping changes the colour.
      guard blocks.saturation.values[index] < DarkRoomPicture.saturation.lowerBound else { return 0 }
      let range = DarkRoomPicture.filledConfidence
      return Double(smoothstep(map.values[index], from: range.lowerBound, to: range.upperBound))
    }

    func flash(_ index: Int) -> SIMD3<Double> { weights * blocks.flash.color(at: index) }

    func room(_ index: Int) -> SIMD3<Double> { gain * weights * blocks.ambient.color(at: index) }

    func flashOnly(_ index: Int) -> SIMD3<Double> { flash(index) - room(index) }

    var meanRoom: SIMD3<Double> {
      map.values.indices.reduce(SIMD3.zero) { $0 + room($1) } / Double(map.values.count)
    }
  }
}

extension SIMD3<Double> {
  fileprivate func clamped(to minimum: Double) -> SIMD3<Double> { replacing(with: minimum, where: self .< minimum) }
}
