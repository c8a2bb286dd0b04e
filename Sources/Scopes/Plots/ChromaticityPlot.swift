internal import ColorScience
internal import Frames

/// Chromaticities in the CIE 1976 u', v' diagram, with equally scaled axes.
struct ChromaticityPlot: ScopePlot {
  private let place: ScopePlace
  private let box: PictureArea
  private let horizontal: ScopeAxis
  private let vertical: ScopeAxis
  private let trace: PlaneTrace

  init(_ place: ScopePlace, hairline: Int) {
    self.place = place
    box = place.plots[0]
    horizontal = ScopeAxis(
      ScopePlace.chromaticityU.lowerBound, ScopePlace.chromaticityU.upperBound, from: Double(box.x),
      to: Double(box.maxX))
    vertical = ScopeAxis(
      ScopePlace.chromaticityV.lowerBound, ScopePlace.chromaticityV.upperBound, from: Double(box.maxY),
      to: Double(box.y))
    let unit = ScopeCounts.binsPerUnit
    trace = PlaneTrace(
      box: box, horizontal: (ScopePlace.chromaticityU.lowerBound * unit)..<(ScopePlace.chromaticityU.upperBound * unit),
      vertical: (ScopePlace.chromaticityV.lowerBound * unit)..<(ScopePlace.chromaticityV.upperBound * unit),
      glow: hairline
    ) { Self.hue(of: $0 / unit) }
  }

  private static let toBT709 = RGBSpace.bt709.rgbToXYZ.inverse

  /// Source: ISO/CIE 11664-5:2016, clause 4.1, solved for X, Y, Z with Y = 1.
  private static func hue(of uniform: SIMD2<Double>) -> ScopeColor {
    let v = max(uniform.y, 0.01)
    let xyz = SIMD3(9 * uniform.x / (4 * v), 1, (12 - 3 * uniform.x - 20 * v) / (4 * v))
    return ScopeColor(hueOf: toBT709 * xyz)
  }

  private func point(_ chromaticity: Chromaticity) -> SIMD2<Double> {
    let uniform = chromaticity.uniform
    return SIMD2(horizontal.place(uniform.x), vertical.place(uniform.y))
  }

  func drawGround(on canvas: inout ScopeCanvas) {
    let hasKeyInside = Double(box.width) >= 235 * canvas.scale
    canvas.title("Chromaticity", hasKeyInside ? "CIE 1976 u′ v′" : "", in: place.area)
    canvas.frame(box)
    drawAxes(on: &canvas)
    drawLocus(on: &canvas)
    for gamut in GamutOutline.all {
      let corners = [gamut.space.red, gamut.space.green, gamut.space.blue].map(point)
      canvas.path(corners, isClosed: true, ScopeStyle.label, style: gamut.style, within: box, opacity: 0.8)
    }
    cross(point(.d65), on: &canvas)
    if hasKeyInside { drawKey(on: &canvas) } else { drawShortKey(on: &canvas) }
  }

  private func drawAxes(on canvas: inout ScopeCanvas) {
    let scale = canvas.scale
    let step = horizontal.place(0.1) - horizontal.place(0) < 30 * scale ? 2 : 1
    for tenth in stride(from: 0, through: 6, by: step) {
      let words = ScopeText.number(Double(tenth) / 10, decimals: 1)
      let (x, y) = (horizontal.place(Double(tenth) / 10), vertical.place(Double(tenth) / 10))
      canvas.vertical(at: x, box.y..<box.maxY, ScopeStyle.grid)
      canvas.horizontal(at: y, box.x..<box.maxX, ScopeStyle.grid)
      canvas.write(words, x: x, y: Double(box.maxY) + 11 * scale, .centre)
      canvas.write(words, x: Double(box.x) - 6 * scale, y: y, .trailing)
    }
    // Between the last two numbers.
    let name = 0.6 - 0.05 * Double(step)
    canvas.write(
      "u′", x: horizontal.place(name), y: Double(box.maxY) + 11 * scale, .centre, color: ScopeStyle.title)
    canvas.write("v′", x: Double(box.x) - 6 * scale, y: vertical.place(name), .trailing, color: ScopeStyle.title)
  }

  /// Draws the spectral locus, with some wavelengths labelled if there is space.
  private func drawLocus(on canvas: inout ScopeCanvas) {
    let scale = canvas.scale
    let locus = SpectralLocus.chromaticities.map(point)
    canvas.path(locus, isClosed: true, ScopeStyle.strongGrid, within: box)
    guard Double(box.width) >= 280 * scale else { return }
    let white = point(.d65)
    for wavelength in [460, 480, 500, 520, 560, 580, 600, 620] {
      let spot = point(SpectralLocus.chromaticity(wavelength))
      let outwards = (spot - white) / ((spot - white) * (spot - white)).sum().squareRoot()
      let label = spot + outwards * SIMD2(8, 11) * scale
      let alignment: ScopeCanvas.Alignment =
        abs(outwards.x) < 0.5 ? .centre : outwards.x < 0 ? .trailing : .leading
      let width = canvas.text.width("\(wavelength)")
      let reach = alignment == .leading ? 0 : alignment == .centre ? width / 2 : width
      guard label.x - reach > Double(box.x) + 2 * scale else { continue }
      canvas.path([spot, spot + outwards * 4 * scale], ScopeStyle.label, within: box)
      canvas.write("\(wavelength)", x: label.x, y: label.y, alignment, color: ScopeStyle.label)
    }
  }

  private func cross(_ middle: SIMD2<Double>, on canvas: inout ScopeCanvas) {
    let arm = 5 * canvas.scale
    for direction in [SIMD2(arm, 0), SIMD2(0, arm)] {
      canvas.path([middle - direction, middle + direction], ScopeStyle.title, within: box)
    }
  }

  /// Draws the key in the corner outside the spectral locus.
  private func drawKey(on canvas: inout ScopeCanvas) {
    let scale = canvas.scale
    let right = Double(box.maxX) - 8 * scale
    let width = canvas.text.width("BT.2020")
    func line(_ index: Int) -> Double { Double(box.maxY) - (10 + 15 * Double(3 - index)) * scale }
    for (index, gamut) in GamutOutline.all.enumerated() {
      let start = SIMD2(right - width - 32 * scale, line(index))
      canvas.path(
        [start, start + SIMD2(26 * scale, 0)], ScopeStyle.label, style: gamut.style, within: box, opacity: 0.8)
      canvas.write(gamut.name, x: right - width, y: line(index))
    }
    cross(SIMD2(right - width - 19 * scale, line(3)), on: &canvas)
    canvas.write("D65", x: right - width, y: line(3))
  }

  /// Draws the key in the title line, if the corner is too small.
  private func drawShortKey(on canvas: inout ScopeCanvas) {
    let scale = canvas.scale
    var right = Double(place.area.maxX) - 8 * scale
    let y = Double(place.area.y) + ScopeStyle.titleMiddle * scale
    for gamut in GamutOutline.all.reversed() {
      let left = right - canvas.text.width(gamut.shortName)
      canvas.write(gamut.shortName, x: left, y: y)
      canvas.path(
        [SIMD2(left - 18 * scale, y), SIMD2(left - 4 * scale, y)], ScopeStyle.label, style: gamut.style,
        within: place.area, opacity: 0.8)
      right = left - 26 * scale
    }
  }

  func paint(_ counts: ScopeCounts, on target: TraceTarget) {
    guard counts.chromaticities.count == ScopeCounts.side * ScopeCounts.side else { return }
    unsafe trace.paint(counts.chromaticities, of: counts.size, on: target)
  }
}

/// The gamut of a standard as drawn in planes, identified by line style and shape rather than colour.
struct GamutOutline {
  let name: String
  /// For tight spaces.
  let shortName: String
  let space: RGBSpace
  let style: LineStyle

  static let all = [
    GamutOutline(name: "BT.2020", shortName: "2020", space: .bt2020, style: .solid),
    GamutOutline(name: "P3", shortName: "P3", space: .displayP3, style: .dashed),
    GamutOutline(name: "BT.709", shortName: "709", space: .bt709, style: .dotted),
  ]
}
