import ColorScience
import Frames
import Patterns
import TestSupport
import Testing
import Verification

/// A pattern and what it is made as.
struct PatternCase: Sendable, CustomTestStringConvertible {
  var name: String
  var signal: PatternSignal
  var testDescription: String { "\(name) \(signal.kind) \(signal.bitDepth)" }

  init(_ name: String, _ kind: PatternSignal.Kind, range: VideoRange = .narrow, bitDepth: Int = 10) {
    self.name = name
    signal = PatternSignal(kind, range: range, bitDepth: bitDepth)
  }

  func painted() throws -> Painted { try Painted(name, signal) }

  var isHLG: Bool { signal.kind == .hlg }

  /// Every pattern as everything that it can be made as.
  static let all = TestPattern.all.flatMap { pattern in
    pattern.kinds.flatMap { kind in pattern.ranges.map { PatternCase(pattern.name, kind, range: $0) } }
  }

  /// Every pattern, and every kind and range in turn.
  static let some = TestPattern.all.enumerated().map { index, pattern in
    PatternCase(
      pattern.name, pattern.kinds[index % pattern.kinds.count], range: pattern.ranges[index % pattern.ranges.count])
  }

  /// With many colours.
  static let colored = [
    PatternCase("bt2111-hlg", .hlg), PatternCase("bt2111-pq", .hdr10),
    PatternCase("bt2111-pq-full", .hdr10, range: .full), PatternCase("colorchecker", .hdr10),
    PatternCase("gamut", .hlg), PatternCase("ramp", .hdr10),
  ]
  /// With many levels.
  static let leveled = [colored[0], colored[3], colored[5], PatternCase("steps", .hlg)]
}

@Suite struct CleanPictureTests {
  @Test(arguments: LongTests.areWanted ? PatternCase.all : PatternCase.some) func patternsPass(_ pattern: PatternCase)
    throws
  {
    try expectPass(pattern.painted())
  }

  @Test(arguments: [PixelLayout.Components.ycbcr422, .ycbcr444, .rgb])
  func otherLayoutsPass(_ components: PixelLayout.Components) throws {
    for pattern in [
      PatternCase("bt2111-pq-full", .hdr10, range: .full), PatternCase("ramp", .sdr),
      PatternCase("chroma-siting", .hlg),
    ] {
      var painted = try pattern.painted()
      painted.components = components
      try expectPass(painted)
    }
  }

  private func expectPass(_ painted: Painted) throws {
    let verification = try painted.verify([painted.frame()])
    #expect(verification.faults == [])
    #expect(verification.patches.allSatisfy { ($0.measured?.deltaE ?? 0) < 0.05 })
    #expect(verification.ramps.allSatisfy { $0.meanDeltaE < 0.8 })
  }

  @Test func everyPatchOfTheBarsIsMeasured() throws {
    let painted = try Painted("bt2111-hlg", PatternSignal(.hlg))
    let verification = try painted.verify([painted.frame()])
    #expect(verification.patches.count == 51)
    #expect(verification.patches.allSatisfy { $0.measured != nil && $0.passes })
    #expect(verification.notes == [])
    #expect(verification.black == 0)
    #expect(verification.clipPoint == nil)
    #expect(verification.gamut?.coverage.map(\.gamut) == [.bt709, .displayP3, .bt2020])
    #expect(verification.gamut?.coverage.allSatisfy { abs($0.share - 1) < 0.001 } == true)
    let ramp = try #require(verification.ramps.first)
    #expect(ramp.levels == ramp.expectedLevels && ramp.levels > 300)
  }

  @Test func ditherToEightBitsIsNoFault() throws {
    let (ten, eight) = (PatternSignal(.sdr), PatternSignal(.sdr, bitDepth: 8))
    for name in ["steps", "colorchecker", "ramp"] {
      let fine = try Painted(name, PatternSignal(.sdr, bitDepth: 12)).frame()
      let coarse = CodedFrame(
        size: fine.size, layout: PixelLayout(.ycbcr420, bitDepth: 8), color: fine.color)
      var state: UInt32 = 1
      for plane in 0..<3 {
        let extent = fine.layout.planeSize(plane, of: fine.size)
        for y in 0..<extent.height {
          for x in 0..<extent.width {
            state = state &* 1_664_525 &+ 1_013_904_223
            let code = (fine.sample(plane: plane, x: x, y: y) + Int(state >> 28)) >> 4
            coarse.setSample(min(code, 255), plane: plane, x: x, y: y)
          }
        }
      }
      let verification = try Painted(name, eight).verify(
        [coarse], expectation: PatternExpectation(ten))
      #expect(verification.faults == [], "\(name)")
    }
  }
}

@Suite struct ColorFaultTests {
  @Test(arguments: PatternCase.colored, [YCbCrMatrix.bt709, .bt601])
  func wrongMatrixIsNamed(_ pattern: PatternCase, _ other: YCbCrMatrix) throws {
    let painted = try pattern.painted()
    let own = YCbCrMatrix.bt2020
    let name = other == .bt709 ? "matrix.709-for-2020" : "matrix.601-for-2020"
    let made = painted.frame { own.rgb(fromYCbCr: other.ycbcr(fromRGB: $0)) }
    #expect(try painted.verify([made]).faultNames == [name])
    let read = painted.frame { other.rgb(fromYCbCr: own.ycbcr(fromRGB: $0)) }
    #expect(try painted.verify([read]).faultNames == [name])
    let tagged = painted.frame().tagged { $0.matrix = other == .bt709 ? .bt709 : .smpte170M }
    #expect(
      try painted.verify([tagged]).faultNames == [other == .bt709 ? "matrix.2020-for-709" : "matrix.2020-for-601"])
  }

  @Test func matrixOfStandardDefinitionIsNamed() throws {
    let painted = try Painted("colorchecker", PatternSignal(.sdr, bitDepth: 8))
    let frame = painted.frame { YCbCrMatrix.bt709.rgb(fromYCbCr: YCbCrMatrix.bt601.ycbcr(fromRGB: $0)) }
    #expect(try painted.verify([frame]).faultNames == ["matrix.601-for-709"])
    let tagged = painted.frame().tagged { $0.matrix = .smpte170M }
    #expect(try painted.verify([tagged]).faultNames == ["matrix.709-for-601"])
  }

  @Test(arguments: PatternCase.leveled) func wrongRangeIsNamed(_ pattern: PatternCase) throws {
    var painted = try pattern.painted()
    let isNarrow = pattern.signal.range == .narrow
    let other: VideoRange = isNarrow ? .full : .narrow
    let tagged = painted.frame().tagged { $0.range = other }
    #expect(
      try painted.verify([tagged]).faultNames == [isNarrow ? "range.narrow-as-full" : "range.full-as-narrow"])
    painted.color.range = other
    let reverse = painted.frame().tagged { $0.range = pattern.signal.range }
    #expect(
      try painted.verify([reverse]).faultNames == [isNarrow ? "range.full-as-narrow" : "range.narrow-as-full"])
  }

  @Test(arguments: PatternCase.leveled) func wrongTransferTagIsNamed(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let (name, other): (String, TransferCharacteristics) =
      pattern.isHLG ? ("transfer.hlg-as-pq", .pq) : ("transfer.pq-as-hlg", .hlg)
    #expect(try painted.verify([painted.frame().tagged { $0.transfer = other }]).faultNames == [name])
    let asSDR = pattern.isHLG ? "transfer.hlg-as-sdr" : "transfer.pq-as-sdr"
    #expect(try painted.verify([painted.frame().tagged { $0.transfer = .bt709 }]).faultNames == [asSDR])
  }

  @Test(arguments: PatternCase.colored) func tagsThatAreAllWrongAreAllNamed(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let tagged = painted.frame().tagged {
      $0 = ColorDescription(
        primaries: .bt709, transfer: .bt709, matrix: .bt709, range: $0.range, chromaLocation: $0.chromaLocation)
    }
    let transfer = pattern.isHLG ? "transfer.hlg-as-sdr" : "transfer.pq-as-sdr"
    #expect(
      Set(try painted.verify([tagged]).faultNames) == [transfer, "primaries.2020-for-709", "matrix.2020-for-709"])
  }

  @Test(arguments: PatternCase.leveled) func lightThatWasReadWronglyIsNamed(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let (own, other) = (PatternSignal(pattern.signal.kind), PatternSignal(pattern.isHLG ? .hdr10 : .hlg))
    let read = painted.frame { own.signal(nits: other.nits($0)) }
    #expect(
      try painted.verify([read]).faultNames.first == (pattern.isHLG ? "transfer.hlg-as-pq" : "transfer.pq-as-hlg"))
    let made = painted.frame { other.signal(nits: own.nits($0)) }
    #expect(
      try painted.verify([made]).faultNames.first == (pattern.isHLG ? "transfer.pq-as-hlg" : "transfer.hlg-as-pq"))
  }

  @Test(arguments: PatternCase.leveled, [0.98, 1.02, 0.5])
  func gainIsFoundWithItsValue(_ pattern: PatternCase, _ gain: Double) throws {
    let painted = try pattern.painted()
    let own = PatternSignal(pattern.signal.kind)
    let light = painted.frame { signal in
      own.signal(nits: gain * own.nits(signal)).replacing(with: signal, where: signal .<= 0)
    }
    for frame in [light, painted.frame { gain * $0 }] {
      // 2 % of light is within the default tolerance.
      let verification = try painted.verify([frame], tolerance: Tolerance(deltaE: 0.5))
      #expect(verification.faultNames == ["gain"])
      let words = try #require(verification.faults.first?.explanation)
      #expect(
        [gain - 0.001, gain, gain + 0.001].contains { words.contains("\(($0 * 1000).rounded() / 1000)") }, "\(words)")
    }
  }

  @Test(arguments: PatternCase.leveled) func withinTheToleranceAFaultIsANote(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    for (name, frame) in [("gain", painted.frame { 0.98 * $0 }), ("offset", painted.frame { $0 + 0.012 })] {
      let verification = try painted.verify([frame], tolerance: Tolerance(deltaE: 50))
      #expect(verification.faults == [] && verification.patches.allSatisfy(\.passes))
      #expect(verification.notes.contains { $0.hasPrefix("Within the tolerance (\(name))") })
      let strict = try painted.verify([frame], tolerance: Tolerance(deltaE: 0.5))
      #expect(strict.faultNames == [name])
      #expect(strict.patches.allSatisfy { $0.passes || $0.reason == name })
    }
  }

  /// Chroma that is off by a code each way is off by more than the tolerance, and nothing is cut.
  @Test func aSmallErrorIsNotTakenForACut() throws {
    let painted = try Painted("colorchecker", PatternSignal(.hdr10))
    let frame = InjectedFault.offset(0, 1, -1).apply(painted.frame(), painted.drawing)
    let verification = try painted.verify([frame])
    #expect(verification.patches.count { !$0.passes } > 12)
    #expect(verification.faultNames == ["patches"])
    #expect(verification.patches.allSatisfy { $0.passes || $0.reason == "patches" })
  }

  @Test func tooFewBitsForThePatternAreAFault() throws {
    var painted = try Painted("bt2111-pq", PatternSignal(.hdr10, bitDepth: 8))
    #expect(
      try painted.verify([painted.frame()], expectation: PatternExpectation(PatternSignal(.hdr10))).faultNames == [
        "bit-depth.8"
      ])
    painted = try Painted("colorchecker", PatternSignal(.sdr, bitDepth: 8))
    #expect(try painted.verify([painted.frame()]).faults == [])
  }

  @Test(arguments: PatternCase.leveled) func offsetIsNamed(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    #expect(try painted.verify([painted.frame { $0 + 0.012 }]).faultNames == ["offset"])
  }

  @Test(arguments: ["bt2111-pq", "clipping", "edr", "ramp", "steps"])
  func clippingIsFoundWithItsLuminance(_ name: String) throws {
    let painted = try Painted(name, PatternSignal(.hdr10))
    let cut = PQ.inverseEOTF(800)
    let verification = try painted.verify([painted.frame { pointwiseMin($0, SIMD3(repeating: cut)) }])
    #expect(verification.faultNames == ["clip"])
    #expect(abs((verification.clipPoint ?? 0) / 800 - 1) < 0.01)
  }

  @Test(arguments: [PatternCase("bt2111-hlg", .hlg), PatternCase("bt2111-pq", .hdr10)])
  func cutOverRangeIsNamed(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let unit = painted.frame { $0.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1)) }
    #expect(try painted.verify([unit]).faultNames == ["super-white", "super-black"])
    let white = painted.frame { pointwiseMin($0, SIMD3(repeating: 1)) }
    #expect(try painted.verify([white]).faultNames == ["super-white"])
    let black = painted.frame { pointwiseMax($0, .zero) }
    #expect(try painted.verify([black]).faultNames == ["super-black"])
    // Beside other faults, too.
    let colours = painted.frame {
      let signal = $0.x == $0.y ? $0 : SIMD3(0.8 * $0.z, 0.6 * $0.x, 0.3 + 0.5 * $0.y)
      return signal.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
    }
    #expect(try painted.verify([colours]).faultNames.starts(with: ["super-white", "super-black", "patches"]))
  }

  @Test(arguments: PatternCase.leveled) func eightBitsAreNamed(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let frame = painted.frame()
    let cut = frame.replacing { frame.sample(plane: $0, x: $1, y: $2) & ~3 }
    #expect(try painted.verify([cut]).faultNames == ["bit-depth.8"])
    let rounded = frame.replacing { min((frame.sample(plane: $0, x: $1, y: $2) + 2) / 4 * 4, 1020) }
    #expect(try painted.verify([rounded]).faultNames == ["bit-depth.8"])
  }

  @Test func tenBitsInTwelveAreNoted() throws {
    let painted = try Painted("ramp", PatternSignal(.hdr10, bitDepth: 12))
    let frame = painted.frame()
    let cut = frame.replacing { (frame.sample(plane: $0, x: $1, y: $2) + 2) & ~3 }
    let verification = try painted.verify([cut])
    #expect(verification.faults == [] && verification.notes.contains { $0.contains("reduced to 10") })
    let eight = frame.replacing { frame.sample(plane: $0, x: $1, y: $2) & ~15 }
    #expect(try painted.verify([eight]).faultNames == ["bit-depth.8"])
  }

  @Test(arguments: PatternCase.colored) func wrongPrimariesAreNamed(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let tagged = painted.frame().tagged { $0.primaries = .bt709 }
    #expect(try painted.verify([tagged]).faultNames == ["primaries.2020-for-709"])
    let own = PatternSignal(pattern.signal.kind)
    let from709 = RGBSpace.conversion(from: .bt709, to: .bt2020)
    let read = painted.frame { $0.x == $0.y && $0.y == $0.z ? $0 : own.signal(nits: from709 * own.nits($0)) }
    #expect(try painted.verify([read]).faultNames == ["primaries.709-for-2020"])
  }

  @Test(arguments: PatternCase.colored) func twoFaultsAreBothNamed(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let own = PatternSignal(pattern.signal.kind)
    let frame = painted.frame { signal in
      let bright = own.signal(nits: 0.9 * own.nits(signal)).replacing(with: signal, where: signal .<= 0)
      return YCbCrMatrix.bt2020.rgb(fromYCbCr: YCbCrMatrix.bt709.ycbcr(fromRGB: bright))
    }
    #expect(Set(try painted.verify([frame]).faultNames) == ["gain", "matrix.709-for-2020"])
  }

  @Test(arguments: PatternCase.colored) func whatNothingExplainsHasNoFalseName(_ pattern: PatternCase) throws {
    let painted = try pattern.painted()
    let frame = painted.frame { SIMD3(0.9 * $0.y, 0.2 + 0.3 * $0.z * $0.z, 0.7 * $0.x) }
    let names = try painted.verify([frame]).faultNames
    #expect(names.contains("patches") || names.contains("ramps"))
    #expect(!names.contains { $0.contains("-for-") || $0.contains("-as-") || $0 == "gain" || $0 == "offset" })
  }

  /// A window has one level: a number that is fitted to it says nothing.
  @Test func aSingleLevelIsNoEvidence() throws {
    let painted = try Painted("window", PatternSignal(.hdr10))
    #expect(try painted.verify([painted.frame { 0.9 * $0 }]).faultNames == ["patches"])
  }

  @Test func missingTagsAreFaultsOfHDROnly() throws {
    func names(_ name: String, _ kind: PatternSignal.Kind, _ change: (inout ColorDescription) -> Void) throws
      -> Verification
    {
      let painted = try Painted(name, PatternSignal(kind))
      return try painted.verify([painted.frame().tagged(change)])
    }
    let untagged: (inout ColorDescription) -> Void = {
      ($0.transfer, $0.primaries, $0.matrix) = (.unspecified, .unspecified, .unspecified)
    }
    #expect(
      try names("bt2111-pq", .hdr10, untagged).faultNames == ["tags.transfer", "tags.primaries", "tags.matrix"])
    #expect(try names("bt2111-pq", .hdr10) { $0.transfer = .unspecified }.faultNames == ["tags.transfer"])
    let sdr = try names("steps", .sdr, untagged)
    #expect(sdr.faults == [] && sdr.notes.count == 3)
  }

  @Test func lightThatIsRightInAnotherEncodingIsOnlyNoted() throws {
    let painted = try Painted("steps", PatternSignal(.hlg))
    var other = painted
    other.signal.kind = .hlg
    other.color.transfer = .pq
    let (hlg, pq) = (PatternSignal(.hlg), PatternSignal(.hdr10))
    let frame = other.frame { $0.max() <= 0 ? $0 : pq.signal(nits: hlg.nits($0)) }
    let verification = try painted.verify([frame])
    #expect(verification.faultNames.filter { $0 != "super-white" && $0 != "super-black" } == [])
    #expect(verification.notes.contains { $0.contains("The light is right all the same") })
  }
}
