import ColorScience
import Frames
import Patterns
import TestSupport
import Testing
import Verification

/// Seventeen single faults on five patterns (two in the short run): none passes, and each is further off than the tolerance.
@Suite struct FaultMatrixTests {
  static let patterns =
    [PatternCase("colorchecker", .hdr10), PatternCase("steps", .hlg)]
    + (LongTests.areWanted
      ? [PatternCase("bt2111-pq", .hdr10), PatternCase("gamut", .hdr10), PatternCase("chroma-siting", .hdr10)] : [])

  /// What is judged by ΔE ITP.
  static let ofColor: [InjectedFault] = [
    .offset(4, 0, 0), .offset(-6, 0, 0), .offset(0, 8, 0), .offset(0, 0, -8), .offset(0, 5, -5),
    .contrast(0.96), .contrast(1.04), .saturation(0.8), .saturation(1.25), .hue(10), .gamma(1.08), .crush(0.12),
    .swappedChroma, .patch(3, codes: 8), .tags("range") { $0.range = .full },
    .tags("transfer") { $0.transfer = .bt709 },
    .tags("matrix") { $0.matrix = .bt709 },
  ]

  @Test(arguments: patterns) func noFaultOfColorPasses(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let clean = painted.frame()
    let judge = Judge(drawing: painted.drawing)
    var real = 0
    for fault in Self.ofColor {
      let frame = fault.apply(clean, painted.drawing)
      let off = judge.worst(clean, frame)
      let verification = try painted.verify([frame])
      if off > 2.2 {
        real += 1
        #expect(!verification.passes, "\(fault.name), ΔE ITP \(off)")
      }
      expectAgreement(verification)
    }
    // Greys of steps have no chroma to be wrong.
    #expect(real >= 12, "\(real)")
  }

  @Test(arguments: patterns) func noFaultOfAFramePasses(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let clean = painted.frame()
    let off = InjectedFault.offset(6, 0, 0).apply(clean, painted.drawing)
    let verification = try painted.verify([clean, clean, off, clean, clean, clean])
    #expect(verification.faultNames.contains("flicker"))
    expectAgreement(verification)
  }

  @Test(arguments: patterns) func aBoxOverAPatchIsSaid(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let large = InjectedFault.box(share: 0.13, patch: 2, codes: 200).apply(painted.frame(), painted.drawing)
    let covered = try painted.verify([large])
    #expect(covered.faultNames.contains("overlay"))
    expectAgreement(covered)
    let small = InjectedFault.box(share: 0.01, patch: 2, codes: 200).apply(painted.frame(), painted.drawing)
    let dotted = try painted.verify([small])
    #expect(dotted.faultNames == [])
    #expect(dotted.notes.contains { $0.contains("excluded from the mean") })
    let once = try painted.verify([painted.frame(), painted.frame(), large])
    #expect(once.faultNames.contains("overlay"))
  }

  @Test(arguments: patterns) func cleanOnesPass(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let verification = try painted.verify([painted.frame(), painted.frame()])
    #expect(verification.passes && verification.notes == [])
  }

  /// What fails in the table is a fault, and each reason is one of the faults.
  func expectAgreement(_ verification: Verification, sourceLocation: SourceLocation = #_sourceLocation) {
    let rows =
      verification.patches.map { ($0.passes, $0.reason) } + verification.ramps.map { ($0.passes, $0.reason) }
      + verification.details.map { ($0.passes, $0.reason) }
    #expect(verification.passes == false || rows.allSatisfy(\.0), sourceLocation: sourceLocation)
    for (passes, reason) in rows where !passes {
      for name in reason?.split(separator: ",").map({ $0.drop { $0 == " " } }) ?? ["none"] {
        #expect(verification.faultNames.contains(String(name)), "\(name)", sourceLocation: sourceLocation)
      }
    }
  }
}
