import ColorScience
import Frames
import Patterns
import Testing
import Verification

@Suite struct DetailFaultTests {
  @Test(arguments: [("chroma-siting", PatternSignal.Kind.hdr10), ("zone-plate", .sdr)])
  func chromaThatIsSitedElsewhereIsNamed(_ name: String, _ kind: PatternSignal.Kind) throws {
    var painted = try Painted(name, PatternSignal(kind))
    let tagged = painted.color.chromaLocation
    for actual in ChromaLocation.allCases where actual != tagged {
      painted.color.chromaLocation = actual
      let verification = try painted.verify([painted.frame().tagged { $0.chromaLocation = tagged }])
      #expect(verification.faultNames == ["chroma-location"], "\(actual)")
      let shift = tagged.offset - actual.offset
      for detail in verification.details where detail.detail.name.hasPrefix("circles") || name == "zone-plate" {
        guard detail.detail.kind == .chroma else { continue }
        let found = try #require(detail.shift)
        #expect(abs(found.x - shift.x) < 0.1 && abs(found.y - shift.y) < 0.1, "\(actual) \(found)")
      }
    }
  }

  @Test(arguments: ["bt2111-pq", "colorchecker"])
  func edgesOfPatchesTellTheSitingToo(_ name: String) throws {
    var painted = try Painted(name, PatternSignal(.hdr10))
    for actual in [ChromaLocation.left, .center] {
      painted.color.chromaLocation = actual
      let frame = painted.frame().tagged { $0.chromaLocation = .topLeft }
      #expect(try painted.verify([frame]).faultNames == ["chroma-location"], "\(actual)")
    }
  }

  @Test func theSitingIsSaid() throws {
    var painted = try Painted("chroma-siting", PatternSignal(.hdr10))
    painted.color.chromaLocation = .left
    let verification = try painted.verify([painted.frame().tagged { $0.chromaLocation = .topLeft }])
    #expect(
      verification.faults.first?.explanation.contains(
        "0.5 pixels up from luma: it is sited left, and the tags say top-left")
        == true)
  }

  @Test func chromaThatIsMovedByAWholePixelIsAShift() throws {
    var painted = try Painted("chroma-siting", PatternSignal(.hdr10))
    painted.components = .ycbcr444
    let frame = painted.frame()
    let moved = frame.replacing { plane, x, y in frame.sample(plane: plane, x: plane == 0 ? x : max(x - 1, 0), y: y) }
    #expect(try painted.verify([moved]).faultNames == ["chroma-shift"])
  }

  @Test func blurIsNamed() throws {
    let painted = try Painted("pixel-grid", PatternSignal(.sdr))
    let frame = painted.frame()
    let blurred = frame.replacing { plane, x, y in
      let extent = frame.layout.planeSize(plane, of: frame.size)
      let near = [-1, 0, 0, 1].map { frame.sample(plane: plane, x: min(max(x + $0, 0), extent.width - 1), y: y) }
      return near.reduce(0, +) / 4
    }
    let verification = try painted.verify([blurred])
    #expect(verification.faultNames.contains("contrast"))
    #expect(verification.details.contains { $0.passes })
    #expect(verification.details.contains { !$0.passes })
  }

  @Test func aWrongMatrixIsNoBlur() throws {
    let painted = try Painted("chroma-siting", PatternSignal(.hdr10))
    let frame = painted.frame { YCbCrMatrix.bt2020.rgb(fromYCbCr: YCbCrMatrix.bt709.ycbcr(fromRGB: $0)) }
    #expect(try painted.verify([frame]).faultNames == ["matrix.709-for-2020"])
  }
}
