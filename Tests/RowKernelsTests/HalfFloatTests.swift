import SIMDShims
import Testing

import Rendering

/// Half-float conversion against Swift's, which rounds to nearest, ties to even.
@Suite struct HalfFloatTests {
  static let everyHalf = (0...UInt16.max).map { Float16(bitPattern: $0) }

  /// Floats at, and one float either side of, every half, every midpoint of two, and the ends of the range.
  static let boundaries: [Float] = {
    let positive = (UInt16(0)...0x7c00).map { Float(Float16(bitPattern: $0)) }
    // The midpoint after the largest half is 65520, from which on the result is infinity.
    let finite = positive.dropLast() + [65536]
    let midpoints = zip(finite, finite.dropFirst()).map { ($0 + $1) / 2 }
    let centres = positive + midpoints + [65536, 70_000, 131_072, 1e6, .greatestFiniteMagnitude, .leastNormalMagnitude]
    let around = centres.flatMap { [$0.nextDown, $0, $0.nextUp] }
    return around + around.map { -$0 } + [.nan, .signalingNaN, -.nan, .leastNonzeroMagnitude]
  }()

  static func isSame(_ a: Float16, _ b: Float16) -> Bool { a.isNaN ? b.isNaN : a.bitPattern == b.bitPattern }

  /// The form of this module's instruction set: the baseline's on x86-64.
  @Test func primitives() {
    for start in stride(from: 0, to: Self.everyHalf.count, by: 16) {
      let halves = SIMD16(Self.everyHalf[start..<(start + 16)])
      let floats = hr_from_half(halves)
      for lane in 0..<16 where !halves[lane].isNaN {
        #expect(floats[lane].bitPattern == Float(halves[lane]).bitPattern)
      }
      for lane in 0..<16 where halves[lane].isNaN { #expect(floats[lane].isNaN) }
    }
    var wrong: [Float] = []
    for start in stride(from: 0, to: Self.boundaries.count, by: 16) {
      let group = Self.boundaries[start..<min(start + 16, Self.boundaries.count)]
      let halves = hr_to_half(SIMD16(group + [Float](repeating: 0, count: 16 - group.count)))
      for (lane, value) in group.enumerated() where !Self.isSame(halves[lane], Float16(value)) { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }

  /// Rows for a kernel that does nothing but multiply by a scale.
  private struct Scaling {
    let values: [Float16]
    let rows: [OutputRow<Float16>]

    init(_ values: [Float16]) {
      self.values = values
      rows = (0..<3).map { _ in OutputRow.scratch(values.count) }
    }

    /// Values that do not become what Swift makes of them.
    func wrong(_ scale: Float, _ tier: KernelTier) -> [Float16] {
      var p = unsafe hr_mapping()
      unsafe p.tone = HR_TONE_SCALE
      unsafe p.gamut = HR_GAMUT_KEEP
      unsafe p.scale = scale
      for row in rows { for x in values.indices { row[x] = values[x] } }
      unsafe tier.kernels.map(
        &p, hr_light_rows(red: rows[0].base, green: rows[1].base, blue: rows[2].base), values.count)
      return values.indices.filter { x in
        !rows.allSatisfy { HalfFloatTests.isSame($0[x], Float16(Float(values[x]) * scale)) }
      }.map { values[$0] }
    }
  }

  /// Every half pattern through each tier's conversions, with a product between that exposes any lost bit.
  @Test(arguments: KernelTier.supported)
  func everyPattern(_ tier: KernelTier) {
    let scaling = Scaling(Self.everyHalf)
    for scale in [1, 1 + 0x1p-11, 3, 1 / 3, 0.1, 0x1p-13, 0x1p-20, 0x1p12, -1] as [Float] {
      #expect(scaling.wrong(scale, tier).isEmpty, "\(scale)")
    }
    #expect(scaling.rows.allSatisfy { $0.isIntact })
  }

  /// Any float is 1 times itself: rounding of each tier at every seventh boundary, and its products with powers of two.
  @Test(arguments: KernelTier.supported)
  func boundaries(_ tier: KernelTier) {
    let scaling = Scaling([1, 2, 0.5, 0x1p-10, 0x1p10])
    let scales = stride(from: 0, to: Self.boundaries.count, by: 7).map { Self.boundaries[$0] }
    #expect(scales.allSatisfy { scaling.wrong($0, tier).isEmpty })
  }
}
