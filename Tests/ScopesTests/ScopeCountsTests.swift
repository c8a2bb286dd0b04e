import Frames
import Scopes
import Testing

@Suite struct ScopeCountsTests {
  @Test func nothingHasNoChromaticity() {
    let counts = ScopeCounts(size: Size(width: 2, height: 2), columns: 2)
    #expect(counts.chromaticity.mean == nil)
    #expect(counts.chromaticity.minimum == nil)
    #expect(counts.chromaticity.maximum == nil)
  }
}
