import Frames
import Patterns
import TestSupport
import Testing
import Verification

/// What lies where nothing of a pattern is measured.
@Suite struct PictureFaultTests {
  private static let window = PatternCase("window", .hdr10)

  /// A box of one code in luma.
  private func box(_ code: Int, x: Int, y: Int, extent: Int, over frame: CodedFrame) -> CodedFrame {
    frame.replacing { plane, column, row in
      let isInside = plane == 0 && (x..<x + extent).contains(column) && (y..<y + extent).contains(row)
      return isInside ? code : frame.sample(plane: plane, x: column, y: row)
    }
  }

  @Test(arguments: [(940, 40, 560, 300), (400, 20, 600, 330), (300, 8, 10, 200), (120, 12, 320, 350)])
  func aBoxBesideThePatchesIsFound(_ code: Int, _ extent: Int, _ x: Int, _ y: Int) throws {
    let painted = try Self.window.painted()
    let verification = try painted.verify([box(code, x: x, y: y, extent: extent, over: painted.frame())])
    #expect(verification.faultNames == ["picture"])
    #expect(verification.patches.allSatisfy { $0.passes })
  }

  @Test func aBoxInOneFrameIsFound() throws {
    let painted = try Self.window.painted()
    let frame = painted.frame()
    let verification = try painted.verify([frame, frame, box(300, x: 30, y: 170, extent: 10, over: frame), frame])
    #expect(verification.faultNames == ["picture"])
    #expect(verification.faults.first?.explanation.contains("in frame 2") == true)
  }

  /// Of a patch only what is more than a twentieth fails it; less is said.
  @Test func aHoleInAPatchIsNoted() throws {
    let painted = try Self.window.painted()
    let frame = painted.frame()
    let verification = try painted.verify([frame, frame, box(64, x: 300, y: 170, extent: 10, over: frame), frame])
    #expect(verification.faultNames == [])
    #expect(verification.notes.contains { $0.contains("small part of a patch") && $0.contains("in frame 2") })
  }

  /// The outermost lines are there to show overscan.
  @Test(arguments: ["pixel-grid", "steps", "checkerboard"])
  func anEdgeThatIsPaintedOverIsFound(_ name: String) throws {
    let painted = try Painted(name, PatternSignal(.sdr))
    let frame = painted.frame()
    let verification = try painted.verify([
      frame.replacing { plane, x, y in
        let extent = frame.layout.planeSize(plane, of: frame.size)
        let reach = plane == 0 ? 4 : 2
        let isInside =
          (reach..<extent.width - reach).contains(x) && (reach..<extent.height - reach).contains(y)
        return isInside ? frame.sample(plane: plane, x: x, y: y) : plane == 0 ? 64 : 512
      }
    ])
    #expect(!verification.passes)
  }

  /// Beyond what the search for a shift of chroma reaches.
  @Test(arguments: [(4, 0), (-6, 0), (0, -5), (10, 0)], ["colorchecker", "gamut"])
  func chromaFarAwayIsFound(_ shift: (x: Int, y: Int), _ name: String) throws {
    var painted = try PatternCase(name, name == "gamut" ? .hlg : .sdr).painted()
    painted.components = .ycbcr444
    let frame = painted.frame()
    let verification = try painted.verify([
      frame.replacing { plane, x, y in
        let (column, row) = plane == 0 ? (x, y) : (x - shift.x, y - shift.y)
        return frame.sample(
          plane: plane, x: min(max(column, 0), frame.size.width - 1), y: min(max(row, 0), frame.size.height - 1))
      }
    ])
    #expect(!verification.passes)
  }

  /// Noise, a soft filter and a few wrong pixels are in every healthy stream.
  @Test(arguments: ["window", "colorchecker", "checkerboard"])
  func noiseAndFiltersPass(_ name: String) throws {
    let painted = try PatternCase(name, .hdr10).painted()
    let frame = painted.frame()
    var random = Xorshift(seed: 5)
    let noisy = frame.replacing { plane, x, y in
      let noise = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -4...4, using: &random) }
      return min(max(frame.sample(plane: plane, x: x, y: y) + Int(noise.rounded()), 4), 1019)
    }
    let faults = try painted.verify([noisy]).faults
    #expect(faults.isEmpty, "\(faults)")
    let soft = frame.replacing { plane, x, y in
      let extent = frame.layout.planeSize(plane, of: frame.size)
      let near = [-1, 0, 0, 1].map { frame.sample(plane: plane, x: min(max(x + $0, 0), extent.width - 1), y: y) }
      return near.reduce(0, +) / 4
    }
    #expect(try painted.verify([soft]).faultNames == [])
    let dead = frame.replacing { plane, x, y in
      plane == 0 && x == 601 && (y == 301 || y == 331) ? 940 : frame.sample(plane: plane, x: x, y: y)
    }
    #expect(try painted.verify([dead]).faultNames == [])
  }

  /// White a little above its code is as far off as white a little below it.
  @Test func toleranceIsTheSameAboveWhite() throws {
    let painted = try Painted("zone-plate", PatternSignal(.sdr))
    let verification = try painted.verify([painted.frame { $0 * 1.0083 }])
    let (far, near) = (verification.patches.filter { !$0.passes }, verification.patches.filter(\.passes))
    #expect(far.allSatisfy { ($0.measured?.deltaE ?? 0) > 2 })
    #expect(near.allSatisfy { ($0.measured?.deltaE ?? 9) <= 2 })
  }
}
