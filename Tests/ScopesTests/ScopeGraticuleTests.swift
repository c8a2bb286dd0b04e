import ColorScience
import Frames
import Scopes
import TestSupport
import Testing

/// What pictures of scopes show besides counts.
@Suite struct ScopeGraticuleTests {
  /// The row of a luminance: its PQ signal s is at (1023 s + 0.5) / 1024 from the bottom.
  private func row(_ nits: Double, _ plot: PictureArea) -> Int {
    let part = (1023 * PQ.inverseEOTF(nits) + 0.5) / 1024
    return Int((Double(plot.maxY) - part * Double(plot.height)).rounded(.down))
  }

  @Test(arguments: [203.0, 350.0]) func referenceWhiteHasALine(_ nits: Double) throws {
    let scopes = try PaintedScopes([.waveform], marks: ScopeMarks(referenceWhite: nits))
    let (plot, ground) = (scopes.layout.places[0].plots[0], scopes.ground)
    let line = row(nits, plot)
    for x in plot.x..<plot.maxX {
      #expect(ground.luminance(x, line) > ground.luminance(x, line - 1))
      #expect(ground.luminance(x, line) > ground.luminance(x, line + 1))
    }
  }

  @Test func aMarkIsWhereItsLevelIs() throws {
    let scopes = try PaintedScopes([.waveform], marks: ScopeMarks(peak: 2500))
    let (plot, columns) = (scopes.layout.places[0].plots[0], scopes.layout.columns)
    let level = Int((1023 * PQ.inverseEOTF(2500)).rounded())
    let counts = ScopeCounts(
      size: Size(width: 8, height: 8), columns: columns,
      luminance: levels(columns: columns, 30, level, count: 8))
    #expect(scopes.lit(counts) == [Pixel(x: plot.x + 30, y: row(2500, plot))])
  }

  @Test func peakAndThousandShareALineWhereTheyAreOne() throws {
    let apart = try PaintedScopes([.waveform], marks: ScopeMarks(peak: nil)).ground.bytes
    let same = try PaintedScopes([.waveform], marks: ScopeMarks(peak: 1000)).ground.bytes
    let nonsense = try PaintedScopes([.waveform], marks: ScopeMarks(peak: .nan)).ground.bytes
    #expect(apart != same)
    #expect(apart == nonsense)
  }

  /// Text that is cut, or that runs into the next scope, would be on the edges of its scope.
  @Test(
    arguments: [1, 1.5, 2],
    [Size(width: 780, height: 440)] + (LongTests.areWanted ? [Size(width: 1600, height: 900)] : []))
  func nothingReachesTheEdges(_ scale: Double, _ points: Size) throws {
    for peak: Double? in [nil, 260, 1000, 1040, 4000, 10_000] {
      let scopes = try PaintedScopes(
        ScopeKind.allCases, width: Int(Double(points.width) * scale), height: Int(Double(points.height) * scale),
        scale: scale, marks: ScopeMarks(sdrWhite: 100, peak: peak))
      let ground = scopes.ground
      for place in scopes.layout.places {
        let area = place.area
        let sides = (area.y..<area.maxY).flatMap { [ground.rgb(area.x, $0), ground.rgb(area.maxX - 1, $0)] }
        let ends = (area.x..<area.maxX).flatMap { [ground.rgb($0, area.y), ground.rgb($0, area.maxY - 1)] }
        #expect(Set(sides + ends) == [[0x0B, 0x0D, 0x10]])
      }
    }
  }

  /// Source: WCAG 2.2, success criterion 1.4.3: 4.5 to 1.
  @Test func labelsHaveContrast() throws {
    let scopes = try PaintedScopes([.waveform])
    let (plot, ground) = (scopes.layout.places[0].plots[0], scopes.ground)
    let label = (10..<plot.x - 6).flatMap { x in
      (row(100, plot) - 5...row(100, plot) + 5).map { ground.luminance(x, $0) }
    }
    let (most, least) = (label.max() ?? 0, label.min() ?? 0)
    #expect((most + 0.05) / (least + 0.05) >= 4.5)
  }

  @Test func theSameCountsMakeTheSameBytes() throws {
    let (first, second) = (try PaintedScopes(ScopeKind.allCases), try PaintedScopes(ScopeKind.allCases))
    let columns = first.layout.columns
    let list = (0..<columns * ScopeCounts.levels).map { UInt16(truncatingIfNeeded: $0 &* 40_503 >> 7) & 31 }
    let bins = (0..<ScopeCounts.side * ScopeCounts.side).map { UInt32(truncatingIfNeeded: $0 &* 40_503 >> 7) & 31 }
    let counts = ScopeCounts(
      size: Size(width: 3840, height: 2160), columns: columns, luminance: list, red: list, green: list.reversed(),
      blue: list, vectors: bins, chromaticities: bins.reversed())
    let picture = first.painted(counts).bytes
    #expect(second.painted(counts).bytes == picture)
    // A frame that shows something else already.
    let used = second.painted(ScopeCounts(size: counts.size, columns: columns, luminance: list.reversed()))
    second.paint(counts, into: used)
    #expect(used.bytes == picture)
  }
}
