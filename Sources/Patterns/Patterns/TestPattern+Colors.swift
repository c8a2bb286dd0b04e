internal import ColorScience
internal import Frames

extension TestPattern {
  static let gamut = TestPattern(
    "gamut", "From white through the BT.709 and the P3 to the BT.2020 primaries and secondaries, at one luminance.",
    source:
      "Primaries of ITU-R BT.709-6, SMPTE EG 432-1 (P3, D65) and ITU-R BT.2020-2; P3 red is 0.001 outside BT.2020",
    kinds: [.hdr10, .hlg],
    parameters: [
      Parameter("nits", "luminance of every colour in cd/m²; at most 30 in HLG", in: 1...400, default: 25)
    ],
    draw: { canvas, _ in drawGamut(canvas) })

  private static func drawGamut(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    // BT.2020 blue alone reaches only 34 cd/m² in HLG at 1000 cd/m².
    let nits = canvas.signal.kind == .hlg ? min(canvas["nits"], 30) : canvas["nits"]
    sketch.title("gamut", "every colour \(Figure(nits)) cd/m²")
    let body = LayoutArea(0.05, 0.12, 0.99, 0.985)
    let hues: [(name: String, rgb: SIMD3<Double>)] = [
      ("red", [1, 0, 0]), ("green", [0, 1, 0]), ("blue", [0, 0, 1]), ("cyan", [0, 1, 1]), ("magenta", [1, 0, 1]),
      ("yellow", [1, 1, 0]),
    ]
    for (hue, row) in zip(hues, body.rows(hues.count, gap: 0.1)) {
      sketch.label(hue.name.prefix(1).uppercased(), LayoutArea(0.005, row.top, 0.045, row.bottom).middle)
      sketch.sweep(hue.name, hue.rgb, nits: nits, row)
    }
    for (name, index) in [("white", 0.0), ("BT.709", 1), ("P3", 2), ("BT.2020", 3)] {
      sketch.label(name, LayoutArea.sweepPlace(body, index, 0, 0.4).caption)
    }
    return sketch.drawing
  }

  static let colorChecker = TestPattern(
    "colorchecker",
    "The 24 patches of the ColorChecker Classic in absolute cd/m²; BT.709 clips cyan, which is outside its gamut.",
    source: "X-Rite's values for charts made after November 2014, CIE D50, adapted to D65 by Bradford's transform",
    parameters: [
      Parameter(
        "white", "luminance of the white patch in cd/m², as far as the signal allows", in: 1...1000, default: 100)
    ],
    draw: { canvas, _ in drawColorChecker(canvas) })

  private static func drawColorChecker(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    // A component of the white patch exceeds its luminance, because it is not exactly D65.
    let brightest = ColorCheckerPatch.white.linear(in: canvas.signal.space).max() / ColorCheckerPatch.white.luminance
    let white = min(canvas["white"], canvas.signal.peak / brightest)
    sketch.title("colorchecker", "white \(Figure(white)) cd/m²")
    let scale = white / ColorCheckerPatch.white.luminance
    let rows = LayoutArea.body.rows(4)
    for (index, patch) in ColorCheckerPatch.all.enumerated() {
      let place = rows[index / 6].columns(6)[index % 6]
      let nits = patch.linear(in: canvas.signal.space) * scale
      let signal = canvas.signal.signal(nits: nits)
      sketch.patch(patch.name, group: index < 18 ? "colours" : "greys", place.part(0.04, 0.02, 0.96, 0.82), signal)
      let isClipped = nits.min() < 0 || signal.max() > 1.000001
      sketch.label(
        "\(index + 1) \(patch.name)\(isClipped ? " (clipped)" : "")  \(Figure(patch.luminance * scale))",
        place.part(0.04, 0.84, 0.96, 0.98))
    }
    return sketch.drawing
  }
}

extension LayoutArea {
  /// Returns part of one of the four stations of a sweep or of the transition to the next.
  /// - Parameters: Start and end within a station's pitch: 0...0.4 is the station, 0.4...1 the transition.
  fileprivate static func sweepPlace(_ row: LayoutArea, _ station: Double, _ begin: Double, _ end: Double) -> LayoutArea
  {
    row.part((station + begin) / 3.4, 0, (station + end) / 3.4, 1)
  }

  fileprivate var caption: LayoutArea { LayoutArea(left, top - 0.04, right, top - 0.005) }
}

extension PatternSketch {
  /// Draws white, the colour in the three spaces, and transitions between them along straight lines of chromaticity.
  /// - Parameter rgb: Linear components of the colour, equal in every space.
  fileprivate mutating func sweep(_ name: String, _ rgb: SIMD3<Double>, nits: Double, _ row: LayoutArea) {
    let target = signal.space
    let spaces: [(String, RGBSpace)] = [("BT.709", .bt709), ("P3", .displayP3), ("BT.2020", .bt2020)]
    let colors = spaces.map { name, space in
      (name, RGBSpace.conversion(from: space, to: target) * (rgb * (nits / (space.luminance * rgb).sum())))
    }
    let stations = [("white", SIMD3(repeating: nits))] + colors
    let signal = signal
    for (index, station) in stations.enumerated() {
      patch(
        "\(name) \(station.0)", group: name, .sweepPlace(row, Double(index), 0, 0.4), signal.signal(nits: station.1))
      guard index + 1 < stations.count else { continue }
      let (from, to) = (station.1, stations[index + 1].1)
      let way = LayoutArea.sweepPlace(row, Double(index), 0.4, 1)
      // P3 and BT.709 have the same blue: there is no transition.
      guard signal.codes(signal.signal(nits: from)) != signal.codes(signal.signal(nits: to)) else {
        fill(way, signal.signal(nits: from))
        continue
      }
      ramp("\(name) \(station.0) to \(stations[index + 1].0)", way) {
        signal.signal(nits: from + (to - from) * $0)
      }
    }
  }
}

/// Colours of constant luma: only chroma varies.
struct ConstantLuma: Sendable {
  let luma: Double
  private let matrix: YCbCrMatrix
  /// Maximum magnitude of Cb and Cr that keeps all components in 0...1.
  let reach: SIMD2<Double>

  /// - Parameters:
  ///   - luma: Y', 0...1.
  ///   - signal: The signal whose matrix defines luma.
  init(luma: Double, _ signal: PatternSignal) {
    self.luma = luma
    let matrix = YCbCrMatrix(signal.matrix) ?? .bt709
    self.matrix = matrix
    let room = min(luma, 1 - luma) * 0.95
    reach = SIMD2(min(room / (2 * (1 - matrix.kb)), 0.25), min(room / (2 * (1 - matrix.kr)), 0.25))
  }

  /// - Parameters: -1...1 each.
  func signal(blue: Double, red: Double) -> SIMD3<Double> {
    matrix.rgb(fromYCbCr: SIMD3(luma, blue * reach.x, red * reach.y))
  }

  /// Returns the signal with only Cb or Cr.
  func signal(_ value: Double, isBlue: Bool) -> SIMD3<Double> {
    isBlue ? signal(blue: value, red: 0) : signal(blue: 0, red: value)
  }
}
