import ColorScience
import Frames
import Patterns
import Testing

/// Patterns without writing: nothing lights up but what they are made of.
@Suite struct LabelsTests {
  private static let size = Size(width: 640, height: 360)

  private func drawing(_ text: String, _ kind: PatternSignal.Kind) throws -> PatternDrawing {
    let chosen = try ChosenPattern(text)
    return chosen.pattern.drawing(on: chosen.canvas(size: Self.size, signal: PatternSignal(kind)))
  }

  @Test(arguments: TestPattern.all.map(\.name)) func noPatternHasLabels(_ name: String) throws {
    let pattern = try #require(TestPattern.named(name))
    for kind in pattern.kinds {
      let (on, off) = (try drawing("\(name)", kind), try drawing("\(name)=labels=off", kind))
      #expect(off.labels.isEmpty)
      #expect(off.patches == on.patches && off.details == on.details && off.ramps.count == on.ramps.count)
      #expect(try drawing("\(name)=labels=on", kind).labels == on.labels)
    }
    #expect(try ChosenPattern("\(name)=labels=off").text == "\(name)=labels=off")
  }

  /// Signals that a drawing has.
  private func signals(_ drawing: PatternDrawing) -> Set<SIMD3<Double>> {
    let painter = PatternPainter(drawing)
    var row = [SIMD3<Double>](repeating: .zero, count: Self.size.width)
    var result: Set<SIMD3<Double>> = []
    for y in 0..<Self.size.height {
      painter.paint(row: y, into: &row)
      result.formUnion(row)
    }
    return result
  }

  @Test func aWindowIsAllThatIsBright() throws {
    let window = try drawing("window=labels=off", .hdr10)
    #expect(signals(window) == [.zero, PatternSignal(.hdr10).gray(nits: 1000)])
    #expect(try signals(drawing("window", .hdr10)).count > 2)
  }

  @Test(arguments: PatternSignal.Kind.allCases) func nothingOfPLUGEIsBrighterThanItsReference(
    _ kind: PatternSignal.Kind
  ) throws {
    let pluge = try drawing("pluge=labels=off", kind)
    let patches = Set(pluge.patches.map(\.signal))
    // The lines have the levels of the bars.
    #expect(signals(pluge).isSubset(of: patches.union([.zero])))
  }
}
