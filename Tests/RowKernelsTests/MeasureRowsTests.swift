import ColorScience
import SIMDShims
import Testing

import Rendering

/// Levels, their counts and colours outside of a gamut, against one pixel at a time.
@Suite struct MeasureRowsTests {
  static let awkward: [Float16] = [
    .nan, -.nan, .signalingNaN, .infinity, -.infinity, 0, -0.0, 65504, -65504, 6e-8, -6e-8, 1,
  ]

  private func rows(_ width: Int, isFinite: Bool) -> [OutputRow<Float16>] {
    (0..<3).map { component in
      let row = OutputRow<Float16>.scratch(width)
      for x in -16..<((width + 15) / 16 * 16 + 1) { row[x] = 30_000 }
      for x in 0..<width {
        let isAwkward = !isFinite && scrambled(x, component + 7) % 5 == 0
        row[x] =
          isAwkward
          ? Self.awkward[Int(scrambled(x, component + 3)) % Self.awkward.count]
          : Float16(raise(Double(scrambledUnit(x / 3, component)), 3) * 40 - (isFinite ? 2 : 0.5))
      }
      return row
    }
  }

  private func light(_ rows: [OutputRow<Float16>]) -> hr_light_rows {
    unsafe hr_light_rows(red: rows[0].base, green: rows[1].base, blue: rows[2].base)
  }

  /// The level of a pixel in words: the largest component that is a number, between zero and the largest half.
  private func level(_ components: [Float16]) -> UInt16 {
    let largest = components.filter { !$0.isNaN }.max() ?? 0
    return min(max(largest, 0), .greatestFiniteMagnitude).bitPattern & 0x7fff
  }

  @Test(arguments: KernelTier.supported)
  func levels(_ tier: KernelTier) {
    for width in widths {
      let (rows, levels) = (rows(width, isFinite: false), OutputRow<UInt16>.scratch(width))
      withExtendedLifetime(rows) { unsafe tier.kernels.levels(light(rows), levels.base, width) }
      let expected = (0..<width).map { x in level(rows.map { $0[x] }) }
      #expect(levels.elements == expected && levels.isIntact, "width \(width)")
    }
  }

  /// A gain that grows with the square root of the luminance.
  @Test(arguments: KernelTier.supported)
  func sceneLevels(_ tier: KernelTier) {
    let gain = { (luminance: Double) in raise(luminance, 0.5) / 4 }
    let weights = SIMD3(0.25, 0.5, 0.25)
    let mapping = ColorTransform(tone: .luminanceGain(.overLuminance(gain), weights: weights), gamut: .keep)
    for (width, isFinite) in widths.flatMap({ [($0, true), ($0, false)] }) {
      let (rows, levels) = (rows(width, isFinite: isFinite), OutputRow<UInt16>.scratch(width))
      withExtendedLifetime(rows) {
        unsafe mapping.withParameters(tier) { unsafe tier.kernels.scene_levels($0, light(rows), levels.base, width) }
      }
      #expect(levels.isIntact && levels.elements.allSatisfy { $0 < 0x7c00 }, "width \(width)")
      guard isFinite else { continue }
      let worst = (0..<width).map { x -> Double in
        let rgb = SIMD3(Double(rows[0][x]), Double(rows[1][x]), Double(rows[2][x]))
        let luminance = (rgb * weights).sum()
        // Below, where scene light never is, the gain is that of next to nothing.
        guard luminance > 1e-3 else { return 0 }
        let expected = max(rgb.max(), 0) * gain(luminance)
        return (Double(Float16(bitPattern: levels[x])) - expected).magnitude / expected
      }.max()
      // Half a step of the half float, and a quarter of one of the luminance.
      #expect((worst ?? 1) < 0x1p-11 + 0x1p-12, "width \(width)")
    }
  }

  /// Runs of one level and changes in every place.
  @Test(arguments: KernelTier.supported)
  func tally(_ tier: KernelTier) {
    for width in widths {
      let levels = (0..<width).map { UInt16(scrambled($0 / 5, 2) % 3 == 0 ? 0 : scrambled($0, 1) % 0x7c00) }
      let before = (0..<width).map { UInt16(scrambled($0, 11) % 0x7c00) }
      let (source, bins) = (InputRow(levels), OutputRow<UInt32>(count: 0x7c00))
      let columns = OutputRow<UInt16>.scratch(width)
      for bin in 0..<0x7c00 { bins[bin] = UInt32(bin) }
      for x in 0..<width { columns[x] = before[x] }
      let highest = unsafe tier.kernels.tally(source.base, bins.base, columns.base, width)
      var expected = (0..<0x7c00).map { UInt32($0) }
      for level in levels { expected[Int(level)] += 1 }
      #expect(bins.elements == expected && bins.isIntact, "width \(width)")
      #expect(columns.elements == zip(before, levels).map(max) && columns.isIntact, "width \(width)")
      #expect(highest == levels.max(), "width \(width)")
    }
  }

  @Test(arguments: KernelTier.supported)
  func outside(_ tier: KernelTier) {
    let boundary = GamutBoundary(of: .bt709, from: .bt2020, floor: 0.01)
    var parameters = hr_gamut_boundary(boundary)
    var found = 0
    for width in widths {
      let rows = rows(width, isFinite: true)
      // Colours so near to the limit that rounding decides are left out.
      let margins = (0..<width).map { x in
        (boundary.matrix * SIMD3(Double(rows[0][x]), Double(rows[1][x]), Double(rows[2][x]))).min() + boundary.floor
      }
      for x in 0..<width where margins[x].magnitude < 1e-4 { for row in rows { row[x] = 1 } }
      let expected = margins.count { $0 <= -1e-4 }
      let count = withExtendedLifetime(rows) {
        unsafe tier.kernels.count_outside(&parameters, light(rows), width)
      }
      #expect(count == expected, "width \(width)")
      found += count
    }
    #expect(found > 500)
  }
}
