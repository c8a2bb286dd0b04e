import ColorScience
import Frames
import Patterns
import TestSupport
import Testing

@Suite("What patterns show")
struct PatternContentTests {
  private func drawing(
    _ name: String, _ kind: PatternSignal.Kind = .hdr10, size: Size = Size(width: 1920, height: 1080),
    values: [String: Double] = [:], frame: Int = 0
  ) throws -> (drawing: PatternDrawing, signal: PatternSignal) {
    let pattern = try #require(TestPattern.named(name))
    let signal = PatternSignal(kind)
    let canvas = PatternCanvas(
      size: size, signal: signal,
      values: PaintedPattern.defaults(pattern).merging(values) { $1 })
    return (pattern.drawing(on: canvas, frame: frame), signal)
  }

  private func xyY(_ nits: SIMD3<Double>, _ space: RGBSpace) -> SIMD3<Double> {
    let xyz = space.rgbToXYZ * nits
    return SIMD3(xyz.x / xyz.sum(), xyz.y / xyz.sum(), xyz.y)
  }

  /// Linear BT.2020 and BT.709 components for white at 100 cd/m², by colour-science 0.4.7: `xyY_to_XYZ`,
  /// `chromatic_adaptation_VonKries(transform="Bradford")` from the charts' D50 to x, y = 0.3127, 0.3290,
  /// `XYZ_to_RGB`, times 100 / 0.88069.
  private static let colorChecker: [(name: String, bt2020: [Double], bt709: [Double])] = [
    ("dark skin", [15.5800, 9.6561, 6.4849], [19.7238, 8.9447, 6.0008]),
    ("bluish green", [29.2100, 54.4169, 47.0919], [13.0947, 57.6176, 46.6798]),
    ("blue", [4.6684, 5.4940, 29.4066], [2.3811, 5.3972, 32.2608]),
    ("yellow", [81.4646, 66.5761, 7.7776], [95.5819, 65.2126, 0.5262]),
    ("cyan", [7.4637, 24.5397, 40.6092], [-4.9854, 26.5324, 42.8270]),
    ("white", [99.8571, 100.3758, 95.3112], [99.8836, 100.4826, 94.7193]),
    ("black", [3.5705, 3.5759, 3.6598], [3.5608, 3.5759, 3.6699]),
  ]

  @Test("The ColorChecker's patches have the luminances and colours that colour-science gives")
  func colorChecker() throws {
    for (kind, isWide) in [(PatternSignal.Kind.hdr10, true), (.sdr, false)] {
      let (drawing, signal) = try drawing("colorchecker", kind)
      #expect(drawing.patches.count == 24)
      for expected in Self.colorChecker {
        let patch = try #require(drawing.patches.first { $0.name == expected.name })
        let nits = signal.nits(patch.signal)
        for (channel, value) in (isWide ? expected.bt2020 : expected.bt709).enumerated() {
          // BT.709's green would be 100.48 cd/m²: the whole chart is darker by that.
          let value = isWide ? value : value / 1.004826
          #expect(abs(nits[channel] - max(value, 0)) < 0.003, "\(expected.name) \(nits)")
        }
      }
    }
  }

  @Test("Only cyan is clipped in BT.709, and its label says so")
  func clippedCyan() throws {
    let labels = try drawing("colorchecker", .sdr).drawing.labels.map(\.text).filter { $0.contains("(clipped)") }
    #expect(labels.count == 1 && labels[0].contains("cyan"))
    #expect(try !drawing("colorchecker", .hlg).drawing.labels.contains { $0.text.contains("(clipped)") })
  }

  @Test(
    "Gamut sweeps hold the primaries' chromaticities at one luminance", arguments: [PatternSignal.Kind.hdr10, .hlg])
  func gamut(_ kind: PatternSignal.Kind) throws {
    let (drawing, signal) = try drawing("gamut", kind)
    let spaces: [(String, RGBSpace)] = [("BT.709", .bt709), ("P3", .displayP3), ("BT.2020", .bt2020)]
    for (name, space) in spaces {
      for (hue, primary) in [("red", space.red), ("green", space.green), ("blue", space.blue)] {
        let patch = try #require(drawing.patches.first { $0.name == "\(hue) \(name)" })
        let color = xyY(signal.nits(patch.signal), .bt2020)
        // P3 red has a little less than no blue in BT.2020.
        let tolerance = name == "P3" && hue == "red" ? 0.0015 : 1e-6
        #expect(abs(color.x - primary.x) < tolerance && abs(color.y - primary.y) < tolerance, "\(name) \(hue) \(color)")
        #expect(abs(color.z - 25) < 0.01, "\(name) \(hue) \(color)")
      }
    }
    for ramp in drawing.ramps {
      for position in stride(from: 0, to: ramp.length, by: 7) {
        #expect(abs(xyY(signal.nits(ramp.signal(position)), .bt2020).z - 25) < 0.01, "\(ramp.name)")
      }
    }
  }

  @Test("Secondaries of the gamut sweeps are the sums of two primaries, by numpy")
  func secondaries() throws {
    let script = """
      import numpy as np
      S = {"BT.709": [(.64,.33),(.3,.6),(.15,.06)], "P3": [(.68,.32),(.265,.69),(.15,.06)],
           "BT.2020": [(.708,.292),(.17,.797),(.131,.046)]}
      w = np.array([.3127/.329, 1, (1-.3127-.329)/.329])
      for name, p in S.items():
        m = np.array([[x/y, 1, (1-x-y)/y] for x, y in p]).T
        m = m * np.linalg.solve(m, w)
        for hue, rgb in {"cyan": [0,1,1], "magenta": [1,0,1], "yellow": [1,1,0]}.items():
          X = m @ np.array(rgb)
          print(hue + " " + name, X[0]/X.sum(), X[1]/X.sum(), sep=",")
      """
    let lines = try Python.run(script, []).split(separator: "\n")
    #expect(lines.count == 9)
    let (drawing, signal) = try drawing("gamut")
    for line in lines {
      let fields = line.split(separator: ",")
      let patch = try #require(drawing.patches.first { $0.name == fields[0] })
      let color = xyY(signal.nits(patch.signal), .bt2020)
      #expect(abs(color.x - (Double(fields[1]) ?? 0)) < 1e-5, "\(line) \(color)")
      #expect(abs(color.y - (Double(fields[2]) ?? 0)) < 1e-5, "\(line) \(color)")
    }
  }

  @Test("A window covers its part of the area at its luminance", arguments: [1.0, 2, 5, 10, 18, 25, 50, 100])
  func window(_ percent: Double) throws {
    let (drawing, signal) = try drawing("window", values: ["percent": percent, "nits": 1000])
    let window = try #require(drawing.patches.first { $0.name == "window" })
    let part = Double(window.area.width * window.area.height) / (1920 * 1080) * 100
    #expect(abs(part - percent) < 0.02 * percent)
    #expect(abs(signal.nits(window.signal).y - 1000) < 1e-6)
    #expect(drawing.labels.isEmpty == (percent == 100))
  }

  @Test("A window is no brighter than its signal can be")
  func windowPeaks() throws {
    for (kind, peak) in [(PatternSignal.Kind.hdr10, 10_000.0), (.hlg, 1000), (.sdr, 100)] {
      let (drawing, signal) = try drawing("window", kind, values: ["nits": 10_000])
      let window = try #require(drawing.patches.last)
      #expect(abs(signal.nits(window.signal).y - peak) < 1e-6 * peak)
      #expect(window.signal.max() < 1.000001)
    }
  }

  @Test("Colour edges leave luma as it is", arguments: PatternSignal.Kind.allCases)
  func constantLuma(_ kind: PatternSignal.Kind) throws {
    let pattern = try #require(TestPattern.named("chroma-siting"))
    let signal = PatternSignal(kind)
    let painted = PaintedPattern(pattern, PatternCanvas(size: Size(width: 480, height: 270), signal: signal))
    let weights =
      switch kind {
      case .sdr, .sRGB: SIMD3(0.2126, 0.7152, 0.0722)
      case .bt601x525, .bt601x625: SIMD3(0.299, 0.587, 0.114)
      case .hdr10, .hlg: SIMD3(0.2627, 0.6780, 0.0593)
      }
    #expect(painted.drawing.details.count == 14)
    for detail in painted.drawing.details {
      var colors: Set<SIMD3<Double>> = []
      var wrong = 0
      for y in detail.area.y..<detail.area.maxY {
        for x in detail.area.x..<detail.area.maxX {
          let color = painted.rows[y][x]
          if abs((weights * color).sum() - 0.4) > 1e-9 || color.min() < 0 || color.max() > 1 { wrong += 1 }
          colors.insert(color)
        }
      }
      #expect(wrong == 0 && colors.count >= 2, "\(detail.name)")
    }
  }

  @Test("Lines are one pixel wide at any scale", arguments: [1.0, 2, 3])
  func pixelGrid(_ scale: Double) throws {
    let pattern = try #require(TestPattern.named("pixel-grid"))
    let size = Size(width: Int(480 * scale), height: Int(270 * scale))
    let canvas = PatternCanvas(
      size: size, scale: scale, signal: PatternSignal(.sdr), values: PaintedPattern.defaults(pattern))
    let painted = PaintedPattern(pattern, canvas)
    for (distance, detail) in zip([2, 3, Int(4 * scale), Int(8 * scale)], painted.drawing.details) {
      let lines = (0..<detail.area.width).filter { painted.rows[detail.area.y][detail.area.x + $0].x == 1 }
      #expect(lines == Array(stride(from: 0, to: detail.area.width, by: distance)))
    }
    #expect(painted.rows[0].allSatisfy { $0.x == 1 } && painted.rows[1].filter { $0.x == 1 }.count == 2)
  }

  @Test("Frames count, flash and move", arguments: [0, 1, 59, 4711])
  func counter(_ frame: Int) throws {
    let (drawing, signal) = try drawing("counter", .hlg, values: ["start": 100], frame: frame)
    let painter = PatternPainter(drawing)
    var row = [SIMD3<Double>](repeating: .zero, count: 1920)
    let area = try #require(drawing.frameCode)
    #expect(area.width % 8 == 0 && area.height % 4 == 0 && area.width >= 480)
    var cells: [Bool] = []
    for y in 0..<4 {
      painter.paint(row: area.y + area.height * (2 * y + 1) / 8, into: &row)
      cells += (0..<8).map { signal.nits(row[area.x + area.width * (2 * $0 + 1) / 16]).y > 100 }
    }
    #expect(FrameCode.number(cells) == 100 + frame)
    #expect(drawing.labels.contains { $0.text.count == 6 && Int($0.text) == 100 + frame })
    // The flash is a mark: it lies on the left, below the digits.
    painter.paint(row: 560, into: &row)
    #expect((signal.nits(row[150]).y > 100) == (frame % 2 == 1))
    let next = try self.drawing("counter", .hlg, values: ["start": 100], frame: frame + 1).drawing
    #expect(zip(next.marks, drawing.marks).count { $0 != $1 } == 5, "the flash, two marks of the dial, two of the bar")
  }

  @Test("Steps of eight bits are held for four of ten", arguments: [VideoRange.narrow, .full])
  func banding(_ range: VideoRange) throws {
    let pattern = try #require(TestPattern.named("banding"))
    let signal = PatternSignal(.hdr10, range: range)
    let drawing = pattern.drawing(on: PatternCanvas(size: Size(width: 1920, height: 1080), signal: signal))
    #expect(drawing.ramps.count == 14)
    for ramp in drawing.ramps {
      let codes = (0..<ramp.length).map { position in
        let codes = signal.codes(ramp.signal(position))
        return max(codes.x, codes.y, codes.z)
      }
      let isCoarse = ramp.name.hasSuffix("8 bit")
      #expect((isCoarse ? 16...17 : 64...64).contains(Set(codes).count), "\(ramp.name)")
      if isCoarse, range == .narrow { #expect(codes.allSatisfy { $0 % 4 == 0 }) }
    }
  }

  @Test("HLG's 75 % is 203 cd/m², and its headroom above that ends at 1000")
  func hlgLevels() throws {
    let (steps, signal) = try drawing("steps", .hlg)
    let patch = try #require(steps.patches.first { $0.name == "75%" })
    #expect(abs(signal.nits(patch.signal).y - 203) < 0.5)
    #expect(steps.labels.contains { $0.text == "203" })
    let headroom = try drawing("headroom", .hlg).drawing
    let last = try #require(headroom.patches.last { $0.group == "above 1" && $0.name != "limit" })
    #expect(abs(signal.nits(last.signal).y - 1000) < 1e-6)
    #expect(
      headroom.patches.first { $0.name == "0 to 1: 1" }.map { abs(signal.nits($0.signal).y - 203) < 1e-6 } == true)
  }

  @Test("PLUGE has the codes of BT.814-4 in narrow range, and nothing below black in full range")
  func pluge() throws {
    for (kind, reference) in [(PatternSignal.Kind.hdr10, 399), (.hlg, 399), (.sdr, 940)] {
      let (drawing, signal) = try drawing("pluge", kind)
      for (name, code) in [("reference", reference), ("lighter", 80), ("darker", 48)] {
        let patch = try #require(drawing.patches.first { $0.name == name })
        #expect(signal.codes(patch.signal) == SIMD3(repeating: code))
      }
    }
    let pattern = try #require(TestPattern.named("pluge"))
    let full = pattern.drawing(
      on: PatternCanvas(size: Size(width: 1920, height: 1080), signal: PatternSignal(.hdr10, range: .full)))
    #expect(full.patches.allSatisfy { $0.signal.min() >= 0 })
  }

  @Test("The EDR gradient rises past 1000 cd/m², with a mark there")
  func edr() throws {
    let (drawing, signal) = try drawing("edr", values: ["peak": 4000])
    let ramp = try #require(drawing.ramps.first)
    #expect(abs(signal.nits(ramp.signal(ramp.length - 1)).y - 4000) < 1e-6)
    let label = try #require(drawing.labels.first { $0.text == "1000" && $0.area.y >= ramp.area.maxY })
    let position = label.area.x + label.area.width / 2 - ramp.area.x
    #expect(abs(signal.nits(ramp.signal(position)).y - 1000) < 5)
    let red = try #require(drawing.patches.first { $0.name == "P3 red 1000" })
    // P3 red in BT.2020: ITU-R BT.2087's way with SMPTE EG 432-1's primaries, by numpy.
    let nits = signal.nits(red.signal)
    #expect(abs(nits.x - 753.833) < 0.01 && abs(nits.y - 45.744) < 0.01 && nits.z == 0)
  }

  @Test("Greys of cd/m² are those of ST 2084")
  func clipping() throws {
    let patches = try drawing("clipping").drawing.patches
    #expect(patches.count == 72)
    // Published ten-bit narrow codes of PQ: ITU-R BT.2408-7, table 1 and 2 and SMPTE ST 2084.
    let signal = PatternSignal(.hdr10)
    for (nits, code) in [(100, 509), (1000, 723), (4000, 855), (10_000, 940)] {
      let patch = try #require(patches.first { $0.name == "white \(nits)" })
      #expect(signal.codes(patch.signal).x == code)
    }
    let red = try #require(patches.first { $0.name == "red 1000" })
    #expect(red.signal.x > 0.7 && red.signal.y == 0 && red.signal.z == 0)
  }
}
