import Testing

import Rendering

/// Integer kernels are compared exactly.
@Suite struct UnpackRowsTests {
  @Test(arguments: KernelTier.supported)
  func widen(_ tier: KernelTier) {
    for width in widths {
      let values = (0..<width).map { UInt8(truncatingIfNeeded: scrambled($0)) }
      let (source, target) = (InputRow(values), OutputRow<UInt16>.scratch(width))
      unsafe tier.widen(source.base, to: target.base, count: width)
      #expect(target.elements == values.map(UInt16.init) && target.isIntact, "width \(width)")
    }
  }

  @Test(arguments: KernelTier.supported, [0, 4, 6] as [UInt16])
  func split(_ tier: KernelTier, _ shift: UInt16) {
    for width in widths {
      let values = (0..<(2 * width)).map { UInt16(truncatingIfNeeded: scrambled($0)) }
      let source = InputRow(values)
      let (cb, cr) = (OutputRow<UInt16>.scratch(width), OutputRow<UInt16>.scratch(width))
      unsafe tier.split(source.base, shift: shift, cb: cb.base, cr: cr.base, count: width)
      #expect(cb.elements == (0..<width).map { values[2 * $0] >> shift } && cb.isIntact, "width \(width)")
      #expect(cr.elements == (0..<width).map { values[2 * $0 + 1] >> shift } && cr.isIntact, "width \(width)")
    }
  }

  @Test(arguments: KernelTier.supported, [(4, 0), (3, 1), (2, 2), (1, 3)] as [(UInt16, UInt16)])
  func blendChroma(_ tier: KernelTier, _ weights: (UInt16, UInt16)) {
    for width in widths {
      let rows = (0..<2).map { row in (0..<width).map { UInt16(scrambled($0, row) & 4095) } }
      let (above, below) = (InputRow(rows[0]), InputRow(rows[1]))
      let target = OutputRow<UInt16>.scratch(width)
      unsafe tier.blendChroma(above.base, below.base, weights: weights, to: target.base, count: width)
      let expected = zip(rows[0], rows[1]).map { $0 * weights.0 + $1 * weights.1 }
      #expect(target.elements == expected && target.isIntact, "width \(width)")
      #expect(target[-1] == expected[0] && target[width] == expected[width - 1], "width \(width)")
    }
  }

  /// Weights of the sitings: on the first column (left), and between two (centre).
  static let spreads: [(even: SIMD4<UInt16>, odd: SIMD4<UInt16>)] = [
    (SIMD4(0, 4, 0, 0), SIMD4(0, 2, 2, 0)), (SIMD4(1, 3, 0, 0), SIMD4(0, 3, 1, 0)),
  ]

  @Test(arguments: KernelTier.supported, 0..<2)
  func spreadChroma(_ tier: KernelTier, _ siting: Int) {
    let weights = ChromaWeights(offset: Double(siting) / 2)
    #expect((weights.even, weights.odd) == Self.spreads[siting])
    for width in widths {
      // What `blendChroma` leaves: four times samples of twelve bit, the ends repeated, a margin of anything.
      let source = OutputRow<UInt16>(count: width, before: 16, after: 32)
      for x in -16..<(width + 32) { source[x] = .max }
      for x in -1...width { source[x] = UInt16(scrambled(min(max(x, 0), width - 1)) & 4095) * 4 }
      let target = OutputRow<UInt16>.scratch(2 * width, vector: 32)
      unsafe tier.spreadChroma(
        source.base, even: weights.even, odd: weights.odd, to: target.base, count: width)
      let expected = (0..<width).flatMap { x -> [UInt16] in
        let neighbours = SIMD4(source[x - 1], source[x], source[x + 1], 0)
        return [(neighbours &* weights.even).wrappedSum(), (neighbours &* weights.odd).wrappedSum()]
      }
      #expect(target.elements == expected && target.isIntact, "width \(width)")
    }
  }
}
