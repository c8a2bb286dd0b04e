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

  /// Frames of the counter that have something of the one before in them.
  private func mixed(_ mix: (_ now: Int, _ before: Int, _ row: Double) -> Int) throws -> Verification {
    var painted = try Painted("counter", PatternSignal(.hdr10))
    painted.size = Size(width: 640, height: 360)
    let clean = (0..<5).map { painted.frame($0) }
    let frames = zip(clean.dropFirst(), clean).map { frame, before in
      frame.replacing { plane, x, y in
        let row = Double(y) / Double(frame.layout.planeSize(plane, of: frame.size).height)
        return mix(frame.sample(plane: plane, x: x, y: y), before.sample(plane: plane, x: x, y: y), row)
      }
    }
    return try painted.verify(frames)
  }

  @Test(arguments: [2, 10, 20]) func blendedFramesAreNamed(_ percent: Int) throws {
    let verification = try mixed { now, before, _ in ((100 - percent) * now + percent * before + 50) / 100 }
    #expect(verification.faultNames == ["frames.blended"])
    #expect(verification.frames?.blended == [0, 1, 2, 3])
  }

  @Test(arguments: [0.5, 0.55, 0.6, 0.7]) func tornFramesAreNamed(_ height: Double) throws {
    let verification = try mixed { now, before, row in row < height ? now : before }
    #expect(verification.faultNames == ["frames.torn"])
    #expect(verification.frames?.torn == [0, 1, 2, 3])
    // The wheel keeps what it has, or takes what comes: the number is in the upper half.
    let reversed = try mixed { now, before, row in row < height ? before : now }
    #expect(reversed.faultNames == ["frames.torn"])
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

  @Test func framesOfAnotherFormatAreAFault() throws {
    var painted = try Painted("colorchecker", PatternSignal(.hdr10))
    let clean = painted.frame()
    painted.size = Size(width: 320, height: 180)
    let verification = try painted.verify([clean, painted.frame(), clean])
    #expect(verification.faultNames == ["frames.other"] && verification.measuredFrames == 2)
  }
}
