import ColorScience
import Frames
import Patterns
import TestSupport
import Testing
import Verification

/// Two hundred single faults of any kind and size, by seed: where the judge says that the picture is off by more than the
/// tolerance, it does not pass.
@Suite struct RandomFaultTests {
  private static let patterns =
    FaultMatrixTests.patterns + [
      PatternCase("ramp", .hdr10), PatternCase("bt2111-hlg", .hlg), PatternCase("pluge", .sdr),
      PatternCase("edr", .hdr10), PatternCase("banding", .hlg),
    ]
  private static let size = Size(width: 384, height: 216)

  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  private func fault(_ random: inout Random) -> InjectedFault {
    func codes(_ most: Int) -> Int { Int.random(in: -most...most, using: &random) }
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    switch Int.random(in: 0..<13, using: &random) {
    case 0: return .offset(codes(12), 0, 0)
    case 1: return .offset(0, codes(14), codes(14))
    case 2: return .offset(codes(4), codes(4), codes(4))
    case 3: return .contrast(number(0.9...1.1))
    case 4: return .saturation(number(0.7...1.3))
    case 5: return .hue(number(-20...20))
    case 6: return .gamma(number(0.85...1.15))
    case 7: return .clip(number(0.3...1))
    case 8: return .crush(number(0...0.3))
    case 9: return .truncation(Int.random(in: 1...4, using: &random))
    case 10: return .patch(codes(50) + 50, codes: codes(20))
    case 11: return .tags("full") { $0.range = .full }
    default: return .tags("709") { $0.matrix = .bt709 }
    }
  }

  @Test(arguments: 0..<(LongTests.areWanted ? 10 : 2)) func noFaultAboveTolerancePasses(_ seed: Int) throws {
    var random = Random(state: 0x9E37_79B9 &* UInt64(seed + 1))
    for _ in 0..<20 {
      var painted = try Self.patterns[Int.random(in: 0..<Self.patterns.count, using: &random)].painted()
      painted.size = Self.size
      let fault = fault(&random)
      let tolerance = [0.5, 1, 2, 2, 4][Int.random(in: 0..<5, using: &random)]
      let isOneFrame = Int.random(in: 0..<4, using: &random) == 0
      let clean = painted.frame()
      let frame = fault.apply(clean, painted.drawing)
      let off = Judge(drawing: painted.drawing).worst(clean, frame)
      let verification = try painted.verify(
        isOneFrame ? [clean, clean, frame, clean] : [frame], tolerance: Tolerance(deltaE: tolerance))
      guard off > 1.1 * tolerance + 0.2 else { continue }
      #expect(
        !verification.passes,
        "\(painted.pattern.text) \(fault.name)\(isOneFrame ? ", one frame" : ""): ΔE ITP \(off), tolerance \(tolerance)"
      )
    }
  }
}
