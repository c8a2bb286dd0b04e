import ColorScience
import SIMDShims
import Testing

import Rendering

/// What scopes count, against one pixel at a time.
@Suite struct ScopeRowsTests {
  private static let side = 512

  private func rows(_ width: Int, awkwardEvery share: UInt32 = 5) -> [OutputRow<Float16>] {
    (0..<3).map { component in
      let row = OutputRow<Float16>.scratch(width)
      for x in -16..<((width + 15) / 16 * 16 + 1) { row[x] = 30_000 }
      for x in 0..<width {
        let isAwkward = share > 0 && scrambled(x, component + 7) % share == 0
        row[x] =
          isAwkward
          ? MeasureRowsTests.awkward[Int(scrambled(x, component + 3)) % MeasureRowsTests.awkward.count]
          : Float16(raise(Double(scrambledUnit(x / 3, component)), 3) * 40 - 0.5)
      }
      return row
    }
  }

  private func light(_ rows: [OutputRow<Float16>]) -> hr_light_rows {
    unsafe hr_light_rows(red: rows[0].base, green: rows[1].base, blue: rows[2].base)
  }

  private func pixel(_ rows: [OutputRow<Float16>], _ x: Int) -> SIMD3<Double> {
    SIMD3(Double(rows[0][x]), Double(rows[1][x]), Double(rows[2][x]))
  }

  @Test(arguments: KernelTier.supported)
  func weigh(_ tier: KernelTier) {
    var weights = hr_weights(red: 0.25, green: 0.6875, blue: 0.0625)
    for width in widths {
      let (rows, sums) = (rows(width), OutputRow<Float16>.scratch(width))
      withExtendedLifetime(rows) { unsafe tier.kernels.weigh(&weights, light(rows), sums.base, width) }
      #expect(sums.isIntact, "width \(width)")
      for x in 0..<width {
        let expected = (pixel(rows, x) * SIMD3(0.25, 0.6875, 0.0625)).sum()
        let (sum, half) = (sums[x], Float16(expected))
        #expect(
          expected.isNaN
            ? sum.isNaN
            : sum == half || (Double(sum) - expected).magnitude <= expected.magnitude * 0x1p-10 + 1e-6,
          "width \(width), pixel \(x)")
      }
    }
  }

  /// Columns of one pixel to columns wider than the picture, rows of noise and of runs.
  @Test(arguments: KernelTier.supported, [1, 3, 4, 7, 8, 2000])
  func tallyLevels(_ tier: KernelTier, _ pixelsPerColumn: Int) {
    let (rows, levels) = (5, OutputRow<UInt16>(count: 1 << 16))
    for bits in 0..<(1 << 16) { levels[bits] = UInt16(scrambled(bits / 9, 1) % 1024) }
    for width in widths {
      let columns = (width + pixelsPerColumn - 1) / pixelsPerColumn
      let (halves, stride) = (OutputRow<UInt16>(count: rows * (width + 3)), width + 3)
      for index in 0..<halves.count {
        halves[index] = UInt16(truncatingIfNeeded: scrambled(index / (index % 50 < 25 ? 1 : 25), 2))
      }
      let (offsets, bins) = (OutputRow<UInt32>(count: width), OutputRow<UInt16>(count: columns * 1024))
      for x in 0..<width { offsets[x] = UInt32(x / pixelsPerColumn * 1024) }
      var expected = (0..<bins.count).map { UInt16($0 % 11) }
      for (bin, count) in expected.enumerated() { bins[bin] = count }
      for y in 0..<rows {
        for x in 0..<width { expected[Int(offsets[x]) + Int(levels[Int(halves[y * stride + x])])] += 1 }
      }
      withExtendedLifetime((levels, offsets)) {
        var tally = unsafe hr_column_tally(
          levels: levels.base, offsets: offsets.base, are_fours: pixelsPerColumn % 4 == 0 ? 1 : 0)
        unsafe tier.kernels.tally_levels(&tally, halves.base, stride, rows, bins.base, width)
      }
      #expect(bins.elements == expected && bins.isIntact, "width \(width)")
    }
  }

  @Test(arguments: KernelTier.supported)
  func tallyBins(_ tier: KernelTier) {
    for width in widths {
      let indices = (0..<width).map { scrambled($0 / 5, 2) % 3 == 0 ? 7 : scrambled($0, 1) % 1000 }
      let (source, bins) = (InputRow(indices), OutputRow<UInt32>(count: 1000))
      var expected = (0..<1000).map { UInt32($0) }
      for (bin, count) in expected.enumerated() { bins[bin] = count }
      for index in indices { expected[Int(index)] += 1 }
      unsafe tier.kernels.tally_bins(source.base, bins.base, width)
      #expect(bins.elements == expected && bins.isIntact, "width \(width)")
    }
  }

  /// The bin of coordinates, and whether they are so near to another that rounding decides.
  private func bin(_ x: Double, _ y: Double) -> (bin: UInt32, isNear: Bool) {
    let isNear = [x, y].contains { ($0 - $0.rounded()).magnitude < 1e-3 }
    let (column, row) = (min(max(x.rounded(.down), 0), 511), min(max(y.rounded(.down), 0), 511))
    return (UInt32(row) * UInt32(Self.side) + UInt32(column), isNear)
  }

  @Test(arguments: KernelTier.supported)
  func vectorBins(_ tier: KernelTier) {
    let signals = OutputRow<Float>(count: 1 << 16)
    for bits in 0..<(1 << 16) {
      let half = Double(Float16(bitPattern: UInt16(bits)))
      signals[bits] = Float(PQ.inverseEOTF(half * 100))
    }
    var compared = 0
    for width in widths {
      let (rows, bins) = (rows(width), OutputRow<UInt32>.scratch(width))
      withExtendedLifetime((rows, signals)) {
        var plane = unsafe hr_vector_plane(
          signals: signals.base, x_first: 600, x_third: 500, y_first: 1700, y_third: -70)
        unsafe tier.kernels.vector_bins(&plane, light(rows), bins.base, width)
      }
      #expect(bins.isIntact, "width \(width)")
      for x in 0..<width {
        let s = (0..<3).map { Double(signals[Int(rows[$0][x].bitPattern)]) }
        let (first, third) = (s[0] - s[1], s[2] - s[1])
        let expected = bin(256 + 600 * first + 500 * third, 256 + 1700 * first - 70 * third)
        // Grey is in the very middle, whatever its light.
        let isGray = first == 0 && third == 0
        guard isGray || !expected.isNear else { continue }
        #expect(bins[x] == (isGray ? 256 * 512 + 256 : expected.bin), "width \(width), pixel \(x)")
        compared += 1
      }
    }
    #expect(compared > 4000)
  }

  @Test(arguments: KernelTier.supported)
  func chromaticityBins(_ tier: KernelTier) {
    let matrix = RGBSpace.bt2020.rgbToXYZ
    var plane = hr_chromaticity_plane(
      matrix: matrix.kernelMatrix, least: 0.25, bins_per_unit: 800)
    for width in widths {
      let (rows, bins) = (rows(width), OutputRow<UInt32>.scratch(width))
      var sums = hr_chromaticity_sums(
        pixels: 5, sum_u: 7, sum_v: 9, least_u: .max, least_v: .max, most_u: .min, most_v: .min)
      withExtendedLifetime(rows) {
        unsafe tier.kernels.chromaticity_bins(&plane, light(rows), bins.base, &sums, width)
      }
      var (pixels, sum, least, most) = (5, SIMD2(7.0, 9), SIMD2(repeating: 65535.0), SIMD2(repeating: 0.0))
      for x in 0..<width {
        let xyz = matrix * pixel(rows, x)
        let whole = xyz.x + 15 * xyz.y + 3 * xyz.z
        guard xyz.y >= 0.25, whole < .infinity else {
          #expect(bins[x] == 512 * 512, "width \(width), pixel \(x)")
          continue
        }
        let (u, v) = (4 * xyz.x / whole, 9 * xyz.y / whole)
        let expected = bin(800 * u, 800 * v)
        #expect(expected.isNear || bins[x] == expected.bin, "width \(width), pixel \(x)")
        let steps = SIMD2(u, v) * 65536
        let limited = SIMD2(min(max(steps.x, 0), 65535), min(max(steps.y, 0), 65535))
        pixels += 1
        sum += limited
        least = SIMD2(min(least.x, limited.x), min(least.y, limited.y))
        most = SIMD2(max(most.x, limited.x), max(most.y, limited.y))
      }
      #expect(bins.isIntact && sums.pixels == pixels, "width \(width)")
      #expect((SIMD2(Double(sums.sum_u), Double(sums.sum_v)) - sum).max() <= Double(pixels), "width \(width)")
      guard pixels > 5 else { continue }
      let found = SIMD4(sums.least_u, sums.least_v, sums.most_u, sums.most_v)
      for (value, expected) in zip((0..<4).map { Double(found[$0]) }, [least.x, least.y, most.x, most.y]) {
        #expect((value - expected).magnitude <= 1, "width \(width)")
      }
    }
  }
}
