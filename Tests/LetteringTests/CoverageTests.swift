import Lettering
import Testing

@Suite struct CoverageTests {
  @Test func valuesLieRowByRow() {
    #expect(Coverage(width: 2, height: 1, values: [0, 255]).values[1] == 255)
  }
}
