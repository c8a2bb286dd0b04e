import ColorScience
import Frames
import Patterns
import Testing
import Verification

/// Samples in every form that inputs have.
@Suite struct InputFormTests {
  private static let pq = PatternSignal(.hdr10)

  /// Light of a pattern as half floats.
  private func light(_ name: String, primaries: ColorPrimaries, unit: Double?, gain: Double = 1) throws -> CodedFrame {
    let painted = try Painted(name, Self.pq)
    let drawing = painted.pattern.pattern.drawing(on: painted.pattern.canvas(size: painted.size, signal: Self.pq))
    let color = ColorDescription(primaries: primaries, transfer: .linear, matrix: .rgb, range: .full)
    let frame = CodedFrame(
      size: painted.size, layout: .linearRGB, color: color, metadata: HDRMetadata(linearUnit: unit))
    let conversion = RGBSpace.conversion(from: .bt2020, to: try #require(primaries.space))
    let painter = PatternPainter(drawing)
    var row = [SIMD3<Double>](repeating: .zero, count: painted.size.width)
    for y in 0..<painted.size.height {
      painter.paint(row: y, into: &row)
      for x in 0..<painted.size.width {
        let light = conversion * Self.pq.nits(row[x]) * (gain / (unit ?? 100))
        for (plane, value) in [light.y, light.z, light.x].enumerated() {
          frame.setSample(Int(Float16(value).bitPattern), plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }

  @Test(arguments: [(ColorPrimaries.bt2020, 1.0), (.bt2020, 203), (.displayP3, 100)])
  func linearLightPasses(_ primaries: ColorPrimaries, _ unit: Double) throws {
    for name in ["colorchecker", "steps", "ramp"] {
      let painted = try Painted(name, Self.pq)
      let verification = try painted.verify([light(name, primaries: primaries, unit: unit)])
      #expect(verification.faults == [], "\(name)")
      #expect(verification.patches.allSatisfy { ($0.measured?.deltaE ?? 9) < 0.5 })
    }
  }

  @Test func gainOfLinearLightIsNamed() throws {
    let painted = try Painted("colorchecker", Self.pq)
    let frame = try light("colorchecker", primaries: .bt2020, unit: 100, gain: 1.05)
    #expect(try painted.verify([frame]).faultNames == ["gain"])
  }

  @Test func lightThatIsNoNumberIsAFaultAndNoTrap() throws {
    let painted = try Painted("colorchecker", Self.pq)
    let frame = try light("colorchecker", primaries: .bt2020, unit: 1e30)
    for y in 0..<frame.size.height {
      for x in 0..<frame.size.width where (x / 40 + y / 40) % 2 == 0 {
        let bits = [0x7C00, 0xFC00, 0x7E00, 0x7BFF][x % 4]
        frame.setSample(bits, plane: y % 3, x: x, y: y)
      }
    }
    let verification = try painted.verify([frame, frame])
    #expect(verification.placement == nil || !verification.passes)
  }

  @Test(arguments: [8, 10]) func interleavedChromaIsRead(_ bitDepth: Int) throws {
    let signal = PatternSignal(.sdr, bitDepth: bitDepth)
    let painted = try Painted("colorchecker", signal)
    let planar = painted.frame()
    let layout = PixelLayout(.ycbcr420, bitDepth: bitDepth, packing: .semiplanar)
    let frame = CodedFrame(size: planar.size, layout: layout, color: planar.color)
    for y in 0..<planar.size.height {
      for x in 0..<planar.size.width {
        frame.setSample(planar.sample(plane: 0, x: x, y: y) << layout.sampleShift, plane: 0, x: x, y: y)
      }
    }
    let chroma = planar.layout.planeSize(1, of: planar.size)
    for y in 0..<chroma.height {
      for x in 0..<chroma.width {
        for plane in 1...2 {
          frame.setSample(
            planar.sample(plane: plane, x: x, y: y) << layout.sampleShift, plane: 1, x: 2 * x + plane - 1, y: y)
        }
      }
    }
    let verification = try painted.verify([frame])
    #expect(verification.faults == [])
    #expect(verification.patches.allSatisfy { ($0.measured?.deltaE ?? 9) < 0.05 })
  }

  @Test(arguments: [Size(width: 641, height: 359), Size(width: 359, height: 641), Size(width: 130, height: 74)])
  func oddSizesPass(_ size: Size) throws {
    for name in ["bt2111-pq", "steps", "chroma-siting"] {
      var painted = try Painted(name, Self.pq)
      painted.size = size
      let verification = try painted.verify([painted.frame()])
      #expect(verification.faults == [], "\(name)")
      #expect(verification.placement?.isExact == true, "\(name)")
    }
  }

  @Test(arguments: [Size(width: 1, height: 1), Size(width: 16, height: 16), Size(width: 63, height: 2000)])
  func tinyPicturesAreNotFound(_ size: Size) throws {
    let painted = try Painted("colorchecker", Self.pq)
    let frame = CodedFrame(size: size, layout: PixelLayout(.ycbcr420, bitDepth: 10), color: painted.color)
    #expect(try painted.verify([frame]).placement == nil)
  }

  @Test func turnedPicturesAreMeasured() throws {
    let painted = try Painted("bt2111-pq", Self.pq)
    let frame = painted.frame()
    let turned = CodedFrame(size: Size(width: 360, height: 640), layout: frame.layout, color: frame.color)
    for plane in 0..<3 {
      let extent = turned.layout.planeSize(plane, of: turned.size)
      let source = frame.layout.planeSize(plane, of: frame.size)
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          let (column, row) = Orientation.clockwise.source(x: x, y: y, in: source)
          turned.setSample(frame.sample(plane: plane, x: column, y: row), plane: plane, x: x, y: y)
        }
      }
    }
    let verification = try painted.verify([turned])
    #expect(verification.placement?.orientation == .clockwise)
    #expect(verification.faultNames == ["placement.turned"])
    #expect(verification.patches.allSatisfy { $0.measured != nil && $0.passes })
  }

  @Test func unsupportedTagsAreAnError() throws {
    let painted = try Painted("colorchecker", Self.pq)
    #expect(throws: VerificationError.unsupportedMatrix(.ictcp)) {
      try painted.verify([painted.frame().tagged { $0.matrix = .ictcp }])
    }
    #expect(throws: VerificationError.unsupportedTransfer(.log100)) {
      try painted.verify([painted.frame().tagged { $0.transfer = .log100 }])
    }
  }
}
