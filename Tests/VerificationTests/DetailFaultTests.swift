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
        "0.5 pixels up from luma: it is sited left, but the tags say top-left")
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
    let verification = try painted.verify([frame.blurred])
    #expect(verification.faultNames.contains("contrast"))
    #expect(verification.details.contains { $0.passes })
    #expect(verification.details.contains { !$0.passes })
  }

  @Test(arguments: ["pixel-grid", "chroma-siting", "zone-plate"], [-1, 1, 2])
  func aPictureThatIsShiftedIsNamed(_ name: String, _ pixels: Int) throws {
    let painted = try Painted(name, PatternSignal(.hdr10))
    let frame = painted.frame()
    for isDown in [false, true] {
      let moved = frame.replacing { plane, x, y in
        // Chroma of 4:2:0 moves by half a sample where luma moves by one.
        let extent = frame.layout.planeSize(plane, of: frame.size)
        func sample(_ step: Int) -> Int {
          let (dx, dy) = isDown ? (0, step) : (step, 0)
          return frame.sample(
            plane: plane, x: min(max(x - dx, 0), extent.width - 1), y: min(max(y - dy, 0), extent.height - 1))
        }
        if plane == 0 { return sample(pixels) }
        return (sample(pixels >> 1) + sample((pixels + 1) >> 1)) / 2
      }
      let verification = try painted.verify([moved])
      #expect(!verification.passes, "down \(isDown)")
      // Lines of a pixel, up by one, may be taken for another picture.
      if pixels == 1 { #expect(verification.faultNames == ["placement.shifted"], "down \(isDown)") }
    }
  }

  @Test func sharpeningIsNamed() throws {
    let painted = try Painted("pixel-grid=nits=10", PatternSignal(.sdr))
    let frame = painted.frame()
    let sharp = frame.replacing { plane, x, y in
      let (width, sample) = (
        frame.layout.planeSize(plane, of: frame.size).width, frame.sample(plane: plane, x: x, y: y)
      )
      let near =
        frame.sample(plane: plane, x: max(x - 1, 0), y: y) + frame.sample(plane: plane, x: min(x + 1, width - 1), y: y)
      return min(max(2 * sample - near / 2, 4), 1019)
    }
    #expect(try painted.verify([sharp]).faultNames.contains("contrast"))
  }

  @Test func aBoxOverFineStructureIsNamed() throws {
    let painted = try Painted("pixel-grid", PatternSignal(.sdr))
    let area = try #require(painted.drawing.details.first { $0.name == "vertical lines, 4 px" }).area
    let frame = painted.frame()
    for (side, isFault) in [(0.4, true), (0.12, false)] {
      let width = Int(side * Double(area.width)), height = Int(side * Double(area.height))
      let box = PictureArea(x: area.x + area.width / 2, y: area.y + area.height / 2, width: width, height: height)
      let covered = frame.replacing { plane, x, y in
        plane == 0 && box.contains(x: x, y: y) ? 700 : frame.sample(plane: plane, x: x, y: y)
      }
      #expect(try painted.verify([covered]).faultNames == (isFault ? ["overlay"] : []))
    }
  }

  @Test func aFrameThatIsBlurredIsNamed() throws {
    let painted = try Painted("pixel-grid", PatternSignal(.sdr))
    let frame = painted.frame()
    let verification = try painted.verify([frame, frame, frame, frame, frame.blurred, frame])
    #expect(verification.faultNames.contains("contrast"))
    #expect(verification.faults.first?.explanation.contains("in frame 4") == true)
  }

  @Test func aWrongMatrixIsNoBlur() throws {
    let painted = try Painted("chroma-siting", PatternSignal(.hdr10))
    let frame = painted.frame { YCbCrMatrix.bt2020.rgb(fromYCbCr: YCbCrMatrix.bt709.ycbcr(fromRGB: $0)) }
    #expect(try painted.verify([frame]).faultNames == ["matrix.709-for-2020"])
  }
}

extension CodedFrame {
  /// Each row is smoothed by 1, 2, 1.
  fileprivate var blurred: CodedFrame {
    replacing { plane, x, y in
      let extent = layout.planeSize(plane, of: size)
      let near = [-1, 0, 0, 1].map { sample(plane: plane, x: min(max(x + $0, 0), extent.width - 1), y: y) }
      return near.reduce(0, +) / 4
    }
  }
}
