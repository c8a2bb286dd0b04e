import ColorScience
import Frames
import Patterns
import Testing
import Verification

@Suite struct FrameFaultTests {
  /// Verifies the counter's frames with these numbers.
  private func verify(_ numbers: [Int], start: Int = 0) throws -> Verification {
    var painted = try Painted("counter", PatternSignal(.hdr10))
    painted.pattern = try ChosenPattern("counter=start=\(start)")
    painted.size = Size(width: 320, height: 180)
    return try painted.verify(numbers.map { painted.frame($0) })
  }

  @Test func framesInOrderPass() throws {
    let verification = try verify([0, 1, 2, 3, 4])
    #expect(verification.faults == [])
    #expect(verification.frames == FrameResult(first: 0, last: 4))
    #expect(verification.measuredFrames == 5)
    let later = try verify([7, 8, 9], start: 1000)
    #expect(later.faults == [])
    #expect(later.frames == FrameResult(first: 1007, last: 1009))
    #expect(later.patches.allSatisfy { $0.passes })
  }

  @Test func repeatedFramesAreNamed() throws {
    let verification = try verify([0, 1, 1, 2, 2, 2, 3])
    #expect(verification.faultNames == ["frames.repeated"])
    #expect(verification.frames?.repeated == [2, 4, 5])
  }

  @Test func droppedFramesAreNamed() throws {
    let verification = try verify([3, 4, 6, 7, 10])
    #expect(verification.faultNames == ["frames.dropped"])
    #expect(verification.frames?.dropped.map(\.after) == [1, 3])
    #expect(verification.frames?.dropped.map(\.count) == [1, 2])
  }

  @Test func reorderedFramesAreNotDropped() throws {
    let verification = try verify([0, 2, 1, 3, 4])
    #expect(verification.faultNames == ["frames.reordered"])
    #expect(verification.frames?.reordered == [2])
  }

  @Test func aFrameThatFlickersIsNamed() throws {
    let painted = try Painted("colorchecker", PatternSignal(.hdr10))
    let (clean, bright) = (painted.frame(), painted.frame { 1.02 * $0 })
    let verification = try painted.verify(Array(repeating: clean, count: 20) + [bright, clean])
    #expect(verification.faultNames == ["flicker"])
    #expect(verification.faults.first?.explanation.contains("frame 20") == true)
  }

  @Test func framesWithoutThePatternAreToldApart() throws {
    let painted = try Painted("colorchecker", PatternSignal(.hdr10))
    let (clean, black) = (painted.frame(), painted.frame { _ in .zero })
    let before = try painted.verify([black, black, clean, clean])
    #expect(before.faults == [] && before.measuredFrames == 2 && before.input.frames == 4)
    #expect(before.notes == ["The first 2 frames do not show the pattern."])
    let among = try painted.verify([clean, black, clean])
    #expect(among.faultNames == ["frames.other"])
    let none = try painted.verify([black, black])
    #expect(none.placement == nil && none.patches.isEmpty)
  }

  @Test func framesOfAnotherFormatAreNotMeasured() throws {
    var painted = try Painted("colorchecker", PatternSignal(.hdr10))
    let clean = painted.frame()
    painted.size = Size(width: 320, height: 180)
    let verification = try painted.verify([clean, painted.frame(), clean])
    #expect(verification.faults == [] && verification.measuredFrames == 2)
    #expect(verification.notes == ["1 frames have another size or format and were not measured."])
  }
}
