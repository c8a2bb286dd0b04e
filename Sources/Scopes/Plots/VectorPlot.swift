internal import ColorScience
internal import Frames

/// Hue and saturation on the plane of ICtCp or of Y'CbCr.
struct VectorPlot: ScopePlot {
  private let place: ScopePlace
  private let plane: VectorPlane
  private let primaries: RGBSpace
  private let nits: Double
  private let box: PictureArea
  private let horizontal: ScopeAxis
  private let vertical: ScopeAxis
  private let trace: PlaneTrace

  /// - Parameters:
  ///   - primaries: Primaries of the content.
  ///   - nits: Luminance of the targets in cd/m².
  init(_ place: ScopePlace, plane: VectorPlane, primaries: RGBSpace, nits: Double, hairline: Int) {
    (self.place, self.plane, self.primaries, self.nits) = (place, plane, primaries, nits)
    box = place.plots[0]
    let reach = plane.reach
    horizontal = ScopeAxis(-reach, reach, from: Double(box.x), to: Double(box.maxX))
    vertical = ScopeAxis(-reach, reach, from: Double(box.maxY), to: Double(box.y))
    let side = Double(ScopeCounts.side)
    let bins = ((0.5 - reach) * side)..<((0.5 + reach) * side)
    trace = PlaneTrace(box: box, horizontal: bins, vertical: bins, glow: hairline) { place in
      plane.hue(at: place / side - 0.5, primaries: primaries)
    }
  }

  private func point(_ place: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(horizontal.place(place.x), vertical.place(place.y))
  }

  func drawGround(on canvas: inout ScopeCanvas) {
    canvas.title("Vectorscope", plane == .ictcp ? "ICtCp of PQ" : "Y′CbCr of PQ", in: place.area)
    canvas.frame(box)
    drawAxes(on: &canvas)
    drawTargets(on: &canvas)
    drawKey(on: &canvas)
  }

  private func drawAxes(on canvas: inout ScopeCanvas) {
    let (scale, centre) = (canvas.scale, point([0, 0]))
    for radius in stride(from: 0.1, to: plane.reach - 0.001, by: 0.1) {
      let pixels = horizontal.place(radius) - centre.x
      canvas.ring(centre, radius: pixels, ScopeStyle.grid, within: box)
    }
    canvas.horizontal(at: centre.y, box.x..<box.maxX, ScopeStyle.strongGrid)
    canvas.vertical(at: centre.x, box.y..<box.maxY, ScopeStyle.strongGrid)
    let step = horizontal.place(0.1) - centre.x < 18 * scale ? 0.2 : 0.1
    for radius in stride(from: step, to: plane.reach - 0.001, by: step) {
      canvas.write(
        ScopeText.number(radius, decimals: 1), x: centre.x + 4 * scale, y: vertical.place(radius) + 8 * scale)
    }
    let names = plane == .ictcp ? ("Ct", "Cp") : ("Cb", "Cr")
    canvas.write(
      names.0, x: Double(box.maxX) - 6 * scale, y: centre.y - 9 * scale, .trailing, color: ScopeStyle.title)
    canvas.write(names.1, x: centre.x + 6 * scale, y: Double(box.y) + 9 * scale, color: ScopeStyle.title)
  }

  private func drawTargets(on canvas: inout ScopeCanvas) {
    for gamut in plane.gamuts {
      let targets = VectorTargets(gamut.space, nits: nits, plane: plane, primaries: primaries)
      for (name, place) in zip(VectorTargets.names, targets.places) {
        symbol(gamut, at: point(place), on: &canvas)
        guard gamut.name == plane.gamuts[0].name else { continue }
        let outwards = SIMD2(place.x, -place.y) / (place * place).sum().squareRoot()
        let label = point(place) + outwards * 14 * canvas.scale
        canvas.write(name, x: label.x, y: label.y, .centre, color: ScopeStyle.title)
      }
    }
  }

  /// Draws a square, a diamond or a ring: the shape indicates the gamut.
  private func symbol(_ gamut: GamutOutline, at middle: SIMD2<Double>, on canvas: inout ScopeCanvas) {
    let scale = canvas.scale
    let corners: [SIMD2<Double>]
    switch gamut.style {
    case .solid: corners = [[-5, -5], [5, -5], [5, 5], [-5, 5]]
    case .dashed: corners = [[-5, 0], [0, -5], [5, 0], [0, 5]]
    case .dotted:
      canvas.ring(middle, radius: 3.5 * scale, ScopeStyle.label, within: place.area)
      return
    }
    canvas.path(
      corners.map { middle + $0 * scale }, isClosed: true, ScopeStyle.label, within: place.area)
  }

  /// Draws the gamuts of the targets below the plot.
  private func drawKey(on canvas: inout ScopeCanvas) {
    let (scale, gamuts) = (canvas.scale, plane.gamuts)
    let words = "\(ScopeText.number(nits, decimals: 0)) cd/m²:"
    let (gap, sign) = (12 * scale, 11 * scale)
    let widths = gamuts.map { canvas.text.width($0.name) + sign + gap }
    let total = canvas.text.width(words) + widths.reduce(0, +)
    var x = Double(box.x) + Double(box.width) / 2 - total / 2
    let y = Double(box.maxY) + 12 * scale
    canvas.write(words, x: x, y: y)
    x += canvas.text.width(words) + gap
    for (gamut, width) in zip(gamuts, widths) {
      symbol(gamut, at: SIMD2(x + 4 * scale, y), on: &canvas)
      canvas.write(gamut.name, x: x + sign + 2 * scale, y: y)
      x += width
    }
  }

  func paint(_ counts: ScopeCounts, on target: TraceTarget) {
    guard counts.vectors.count == ScopeCounts.side * ScopeCounts.side else { return }
    unsafe trace.paint(counts.vectors, of: counts.size, on: target)
  }
}

extension VectorPlane {
  /// Distance from the centre of a vectorscope to its edges; values beyond are clipped to the edges. BT.2020 at 1000
  /// cd/m² reaches 0.46 in ICtCp (green) and 0.38 in Y'CbCr (blue and red).
  public var reach: Double { self == .ictcp ? 0.5 : 0.4 }

  /// The gamuts whose colour bars have targets, largest first.
  var gamuts: [GamutOutline] {
    GamutOutline.all.filter { self == .ictcp || $0.space != .displayP3 }
  }

  /// Returns the colour of a position, at medium luminance.
  func hue(at place: SIMD2<Double>, primaries: RGBSpace) -> ScopeColor {
    let middle = PQ.inverseEOTF(100)
    switch self {
    case .ictcp:
      let light = ICtCp.toNits(SIMD3(middle, place.x, place.y))
      return ScopeColor(hueOf: RGBSpace.conversion(from: .bt2020, to: .bt709) * light)
    case .ycbcr:
      let signal = Self.matrix(for: primaries).rgb(fromYCbCr: SIMD3(middle, place.x, place.y))
      let light = SIMD3(PQ.eotf(signal.x), PQ.eotf(signal.y), PQ.eotf(signal.z))
      return ScopeColor(hueOf: RGBSpace.conversion(from: primaries, to: .bt709) * light)
    }
  }

  /// Returns Ct and Cp, or Cb and Cr, of linear light in cd/m². Source: ITU-R BT.2100-2, tables 6 and 7.
  func place(ofNits nits: SIMD3<Double>, in space: RGBSpace, primaries: RGBSpace) -> SIMD2<Double> {
    switch self {
    case .ictcp:
      let ictcp = ICtCp.fromNits(RGBSpace.conversion(from: space, to: .bt2020) * nits)
      return SIMD2(ictcp.y, ictcp.z)
    case .ycbcr:
      let light = RGBSpace.conversion(from: space, to: primaries) * nits
      let signal = SIMD3(PQ.inverseEOTF(light.x), PQ.inverseEOTF(light.y), PQ.inverseEOTF(light.z))
      let ycbcr = Self.matrix(for: primaries).ycbcr(fromRGB: signal)
      return SIMD2(ycbcr.y, ycbcr.z)
    }
  }
}

/// Vectorscope positions of colour bars: red, yellow, green, cyan, blue and magenta of a gamut, with full components at
/// reference white.
struct VectorTargets {
  static let names = ["R", "Y", "G", "C", "B", "M"]
  private static let bars: [SIMD3<Double>] = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]

  /// Ct and Cp, or Cb and Cr, in the order of `names`.
  let places: [SIMD2<Double>]

  /// - Parameters:
  ///   - nits: Luminance of full components in cd/m².
  ///   - primaries: Primaries of the content, on which Y'CbCr is based.
  init(_ gamut: RGBSpace, nits: Double, plane: VectorPlane, primaries: RGBSpace) {
    places = Self.bars.map { plane.place(ofNits: $0 * nits, in: gamut, primaries: primaries) }
  }
}
