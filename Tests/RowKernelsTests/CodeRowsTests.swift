import ColorScience
import SIMDShims
import Testing

import Rendering

/// Codes of pixels, and pixels painted by them, against one pixel at a time.
@Suite struct CodeRowsTests {
  private func rows(_ width: Int, salt: Int = 0) -> [OutputRow<Float16>] {
    (0..<3).map { component in
      let row = OutputRow<Float16>.scratch(width)
      for x in -16..<((width + 15) / 16 * 16 + 1) { row[x] = .nan }
      for x in 0..<width { row[x] = Float16(scrambledUnit(x, component + salt) * 5 - 0.5) }
      return row
    }
  }

  private func light(_ rows: [OutputRow<Float16>]) -> hr_light_rows {
    unsafe hr_light_rows(red: rows[0].base, green: rows[1].base, blue: rows[2].base)
  }

  private func color(_ rows: [OutputRow<Float16>], _ x: Int) -> SIMD3<Double> {
    SIMD3(Double(rows[0][x]), Double(rows[1][x]), Double(rows[2][x]))
  }

  @Test(arguments: KernelTier.supported)
  func zones(_ tier: KernelTier) {
    let (weights, levels) = (SIMD3(0.25, 0.5, 0.25), [-0.2, 0.3, 1, 1.5, 2.5])
    var parameters = hr_zones(weights: weights, levels: levels)
    for width in widths {
      let (rows, codes) = (rows(width), OutputRow<UInt16>.scratch(width))
      withExtendedLifetime(rows) { unsafe tier.kernels.zones(&parameters, light(rows), codes.base, width) }
      // Weights are powers of two: sums are exact but for their rounding to float.
      let expected = (0..<width).map { x in
        let value = Float((weights * color(rows, x)).sum())
        return UInt16(levels.count { Float($0) < value })
      }
      #expect(codes.elements == expected && codes.isIntact, "width \(width)")
    }
  }

  @Test(arguments: KernelTier.supported)
  func levelZones(_ tier: KernelTier) {
    for width in widths {
      let (levels, codes) = (OutputRow<UInt16>.scratch(width), OutputRow<UInt16>.scratch(width))
      for x in 0..<width { levels[x] = UInt16(scrambled(x) % 0x7c00) }
      withExtendedLifetime(levels) { unsafe tier.kernels.level_zones(levels.base, 9000, 20_000, codes.base, width) }
      let expected = levels.elements.map { UInt16($0 > 20_000 ? 2 : $0 > 9000 ? 1 : 0) }
      #expect(codes.elements == expected && codes.isIntact, "width \(width)")
    }
  }

  @Test(arguments: KernelTier.supported)
  func outside(_ tier: KernelTier) {
    let boundary = GamutBoundary(of: .displayP3, from: .bt2020, floor: 0.01)
    var parameters = hr_gamut_boundary(boundary)
    var found = 0
    for width in widths {
      let (rows, codes) = (rows(width), OutputRow<UInt16>.scratch(width))
      for x in 0..<width {
        codes[x] = UInt16(x % 5)
        // Where rounding decides there is nothing to see.
        if ((boundary.matrix * color(rows, x)).min() + boundary.floor).magnitude < 1e-5 { rows.forEach { $0[x] = 1 } }
      }
      let expected = (0..<width).map { x in UInt16(x % 5 + (boundary.isOutside(color(rows, x)) ? 20 : 0)) }
      withExtendedLifetime(rows) { unsafe tier.kernels.add_outside(&parameters, 20, light(rows), codes.base, width) }
      #expect(codes.elements == expected && codes.isIntact, "width \(width)")
      found += expected.count { $0 >= 20 }
    }
    #expect(found > 200)
  }

  /// Sectors of 60 degrees from minus 30 on, of a plane whose axes are two of the components.
  @Test(arguments: KernelTier.supported)
  func hues(_ tier: KernelTier) {
    let half = Float(0.75).squareRoot()
    var parameters = hr_hues(
      horizontal: (1, 0, 0), vertical: (0, 1, 0), unit: (0, 0, 1), neutral: 0.04,
      x: (half, half, 0, -half, -half, 0), y: (-0.5, 0.5, 1, 0.5, -0.5, -1))
    for width in widths {
      let (rows, codes) = (rows(width), OutputRow<UInt16>.scratch(width))
      for x in 0..<width {
        rows[0][x] -= 2
        rows[1][x] -= 2
        codes[x] = 7
      }
      let expected = (0..<width).map { x -> UInt16 in
        let (u, v, unit) = (Float(rows[0][x]), Float(rows[1][x]), Float(rows[2][x]))
        guard u * u + v * v >= 0.04 * unit * unit else { return 7 }
        // The side of each edge that the point lies on, from the edges' own definition.
        let edges: [(Float, Float)] = [
          (half, -0.5), (half, 0.5), (0, 1), (-half, 0.5), (-half, -0.5), (0, -1),
        ]
        let isPast = edges.map { $0.0 * v >= $0.1 * u }
        let sector = (0..<6).first { isPast[$0] && !isPast[($0 + 1) % 6] }
        return 7 + 10 * UInt16((sector ?? -1) + 1)
      }
      withExtendedLifetime(rows) { unsafe tier.kernels.add_hues(&parameters, 10, light(rows), codes.base, width) }
      #expect(codes.elements == expected && codes.isIntact, "width \(width)")
      if width > 300 { #expect(Set(expected).count == 7) }
    }
  }

  @Test(arguments: KernelTier.supported)
  func paint(_ tier: KernelTier) {
    let colors: [Float16] = [0, 0, 0, 1, 2, 3, 0.25, 0.5, 0.75]
    for width in widths {
      let (rows, codes) = (rows(width), OutputRow<UInt16>.scratch(width))
      for x in 0..<width { codes[x] = UInt16(scrambled(x) % 4) }
      let before = (0..<width).map { x in rows.map { $0[x] } }
      unsafe colors.withUnsafeBufferPointer { buffer in
        var palette = unsafe hr_palette(
          gray: (0.25, 0.5, 0.25), count: 3, gray_code: 0, colors: buffer.baseAddress)
        withExtendedLifetime(codes) { unsafe tier.kernels.paint(&palette, codes.base, light(rows), width) }
      }
      for x in 0..<width {
        let found = rows.map { $0[x] }
        switch codes[x] {
        case 0:
          let gray = 0.25 * Float(before[x][0]) + 0.5 * Float(before[x][1]) + 0.25 * Float(before[x][2])
          #expect(found == [Float16](repeating: Float16(gray), count: 3), "width \(width)")
        case 3: #expect(found == before[x], "width \(width)")
        case let code: #expect(found == Array(colors[(3 * Int(code))..<(3 * Int(code) + 3)]), "width \(width)")
        }
      }
      #expect(rows.allSatisfy { $0.isIntact }, "width \(width)")
    }
  }

  /// Nothing beside the rows is written; what is written is compared in the tests of the stage.
  @Test(arguments: KernelTier.supported, [HR_HIGHLIGHT_CHROMATICITY, HR_HIGHLIGHT_RANGE, HR_HIGHLIGHT_LUMINANCE])
  func highlight(_ tier: KernelTier, _ kind: hr_highlight_kind) {
    var parameters = hr_highlight(
      kind: kind, has_tint: 1, boundary: hr_gamut_boundary(GamutBoundary(of: .bt709, from: .bt2020, floor: 0.01)),
      excess: (0.02, 0.02, 0.02), luminance: (0.25, 0.5, 0.25), limit: 1, gray: (0.25, 0.5, 0.25),
      near: (0.04, 0.04, 0.04), near_level: 0.9, tint: (2, 1, 0))
    for width in widths {
      let (rows, limits) = (rows(width), OutputRow<Float>.scratch(width))
      for x in 0..<width { limits[x] = 1 + Float(x % 3) }
      let before = rows.map(\.elements)
      withExtendedLifetime(limits) { unsafe tier.kernels.highlight(&parameters, light(rows), limits.base, width) }
      #expect(rows.allSatisfy { $0.isIntact }, "width \(width)")
      if width > 300 { #expect(rows.map(\.elements) != before) }
    }
  }

  @Test(arguments: KernelTier.supported)
  func luminanceGains(_ tier: KernelTier) {
    let weights = SIMD3(0.25, 0.5, 0.25)
    let gain = { (luminance: Double) in 1 / (1 + luminance) }
    let mapping = ColorTransform(tone: .luminanceGain(.overLuminance(gain), weights: weights), gamut: .keep)
    for width in widths {
      let (rows, gains) = (rows(width), OutputRow<Float>.scratch(width))
      withExtendedLifetime(rows) {
        unsafe mapping.withParameters(tier) { unsafe tier.kernels.luminance_gains($0, light(rows), gains.base, width) }
      }
      for x in 0..<width {
        let luminance = max((weights * color(rows, x)).sum(), 0)
        #expect((Double(gains[x]) - gain(luminance)).magnitude < 0.001, "width \(width)")
      }
      #expect(gains.isIntact, "width \(width)")
    }
  }
}
