internal import ColorScience
internal import Frames
internal import Glibc

/// Builds a drawing, with positions as fractions of the picture and greys in cd/m².
struct PatternSketch {
  let canvas: PatternCanvas
  var drawing: PatternDrawing
  /// Colour of text.
  var ink: SIMD3<Double>

  /// - Parameters:
  ///   - background: Luminance of the background in cd/m².
  ///   - ink: Luminance of text in cd/m².
  init(_ canvas: PatternCanvas, background: Double = 0, ink: Double = 60) {
    self.canvas = canvas
    drawing = PatternDrawing(canvas, background: background > 0 ? canvas.signal.gray(nits: background) : .zero)
    self.ink = canvas.signal.gray(nits: ink)
  }

  var signal: PatternSignal { canvas.signal }

  /// A parameter's luminance in cd/m², limited to the peak of the signal.
  func nits(_ parameter: String) -> Double { min(canvas[parameter], signal.peak) }

  /// Signal of a grey in cd/m²; black is 0.
  func gray(_ nits: Double) -> SIMD3<Double> { nits > 0 ? signal.gray(nits: nits) : .zero }

  /// Luminance in cd/m² of a grey signal.
  func nits(ofGray level: Double) -> Double { signal.nits(SIMD3(repeating: level)).y }

  mutating func fill(_ part: LayoutArea, _ signal: SIMD3<Double>) {
    drawing.elements.append(.init(canvas.area(part), .flat(signal)))
  }

  mutating func patch(_ name: String, group: String, _ part: LayoutArea, _ signal: SIMD3<Double>) {
    drawing.patch(name, group: group, canvas.area(part), signal)
  }

  /// A ramp from left to right.
  /// - Parameter signal: Signal by the position, 0 in the first column and 1 in the last.
  mutating func ramp(
    _ name: String, _ part: LayoutArea, signal: @escaping @Sendable (_ position: Double) -> SIMD3<Double>
  ) {
    let area = canvas.area(part)
    let last = Double(max(area.width - 1, 1))
    drawing.ramp(name, area) { signal(Double($0) / last) }
  }

  /// Fine structure, measured pixel by pixel.
  mutating func detail(
    _ name: String, _ kind: PatternDrawing.Detail.Kind, _ area: PictureArea, _ content: PatternDrawing.Content
  ) {
    drawing.elements.append(.init(area, content))
    drawing.details.append(.init(name, kind: kind, area: area))
  }

  /// Draws text in the middle of an area; in pictures taller than 16:9, no larger than in a 16:9 picture of the same
  /// width, so that adjacent labels have the same size.
  mutating func label(_ text: String, _ part: LayoutArea, _ alignment: PatternDrawing.Label.Alignment = .center) {
    let shrunk = min(Double(canvas.size.width) * 9 / 16 / Double(canvas.size.height), 1)
    let area = canvas.area(part.part(0, (1 - shrunk) / 2, 1, (1 + shrunk) / 2))
    drawing.labels.append(.init(text, area: area, alignment: alignment, signal: ink))
  }

  /// Ticks and captions over an area, at positions of 0 (its first column) to 1 (its last).
  mutating func marks(_ marks: [(position: Double, text: String)], above part: LayoutArea) {
    for mark in marks { self.mark(mark.text, at: mark.position, of: part, tickTop: part.top - 0.01, below: false) }
  }

  /// Ticks and captions under an area.
  mutating func marks(_ marks: [(position: Double, text: String)], below part: LayoutArea) {
    for mark in marks { self.mark(mark.text, at: mark.position, of: part, tickTop: part.bottom, below: true) }
  }

  private mutating func mark(_ text: String, at position: Double, of part: LayoutArea, tickTop: Double, below: Bool) {
    guard canvas.hasLabels else { return }
    let area = canvas.area(part)
    let rows = canvas.area(0, tickTop, 0, tickTop + 0.01)
    let width = canvas.pixels(1)
    let middle = area.x + Int((position * Double(max(area.width - 1, 0))).rounded())
    let tick = PictureArea(x: middle - width / 2, y: rows.y, width: width, height: rows.height)
    drawing.elements.append(.init(tick, .flat(ink)))
    let center = part.left + position * (part.right - part.left)
    let top = below ? tickTop + 0.013 : tickTop - 0.037
    label(text, LayoutArea(center - 0.045, top, center + 0.045, top + 0.034))
  }

  /// Draws the title line (pattern name, values, picture size and kind of signal) and a mark that reveals rotation and
  /// mirroring.
  mutating func title(_ name: String, _ values: String..., in part: LayoutArea = LayoutArea(0.008, 0.012, 0.98, 0.052))
  {
    let kind = signal.kind == .hdr10 ? "HDR10 PQ" : signal.kind.title
    let range = signal.range == .full ? " full range" : ""
    let words = [name] + values + ["\(canvas.size)", kind + range]
    let area = canvas.area(LayoutArea(part.left + 0.027, part.top, part.right, part.bottom))
    drawing.labels.append(.init(words.joined(separator: "  "), area: area, alignment: .leading, signal: ink))
    mark(LayoutArea(part.left, part.top, part.left + 0.02, part.bottom))
  }

  /// An inverted L in the top-left corner: no rotation or mirroring leaves it unchanged.
  mutating func mark(_ part: LayoutArea) {
    guard canvas.hasLabels else { return }
    let area = canvas.area(part)
    let stroke = max(min(area.width, area.height) / 6, 1)
    let (width, height) = (max(area.width, 2), max(area.height, 3))
    drawing.elements.append(
      .init(PictureArea(x: area.x, y: area.y, width: width, height: stroke), .flat(ink)))
    drawing.elements.append(
      .init(PictureArea(x: area.x, y: area.y, width: stroke, height: height), .flat(ink)))
  }
}

extension PatternSketch {
  /// Draws a row of patches, for patterns that have none: they separate errors of range, matrix and gain from the
  /// errors that the pattern tests.
  /// - Parameter nits: Luminance of white in cd/m².
  mutating func references(_ part: LayoutArea, nits: Double) {
    let white = gray(nits)
    let patches: [(name: String, signal: SIMD3<Double>)] = [
      ("black", .zero), ("25% grey", white * 0.25), ("50% grey", white * 0.5), ("75% grey", white * 0.75),
      ("white", white),
      ("yellow", white * SIMD3(1, 1, 0)), ("cyan", white * SIMD3(0, 1, 1)), ("green", white * SIMD3(0, 1, 0)),
      ("magenta", white * SIMD3(1, 0, 1)), ("red", white * SIMD3(1, 0, 0)), ("blue", white * SIMD3(0, 0, 1)),
    ]
    for (patch, place) in zip(patches, part.columns(patches.count)) {
      self.patch("reference \(patch.name)", group: "references", place, patch.signal)
    }
  }

  /// White in cd/m² of reference patches and frame codes: HDR reference white, or the peak of SDR.
  /// Source: ITU-R BT.2408-7, 2.1.
  var referenceWhite: Double { min(203, signal.peak) }
}

extension LayoutArea {
  /// A strip across the middle, for a caption of default size.
  var middle: LayoutArea {
    let height = min(0.04, bottom - top)
    let center = (top + bottom) / 2
    return LayoutArea(left, center - height / 2, right, center + height / 2)
  }
}

/// A number formatted for the caption of a patch: "0.005", "92.2", "10000".
///
/// Three significant digits, no more than three decimals where that leaves one, and no trailing zeros.
struct Figure: Sendable, CustomStringConvertible {
  let value: Double

  init(_ value: Double) { self.value = value }

  /// - Parameter exponent: Power of ten of the first digit.
  private static func decimals(_ exponent: Int) -> Int { max(min(2 - exponent, 3), -exponent, 0) }

  var description: String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    let size = abs(value)
    guard size >= 0.000_05 else { return "0" }
    let decimals = Self.decimals(Int(log10(size).rounded(.down)))
    let factor = (0..<decimals).reduce(1) { factor, _ in factor * 10 }
    let scaled = Int((size * Double(factor)).rounded())
    var fraction = String(scaled % factor + factor).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let whole = (value < 0 ? "-" : "") + String(scaled / factor)
    return decimals == 0 || fraction.isEmpty ? whole : whole + "." + fraction
  }
}

/// A rectangle in fractions of the picture's width and height, 0...1, from which layouts are built.
struct LayoutArea: Sendable, Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  /// The area below the title.
  static let body = LayoutArea(0.02, 0.07, 0.98, 0.985)

  /// A part of this area, in fractions of its width and height.
  func part(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> LayoutArea {
    let (width, height) = (self.right - self.left, self.bottom - self.top)
    return LayoutArea(
      self.left + left * width, self.top + top * height, self.left + right * width, self.top + bottom * height)
  }

  /// Equal columns.
  /// - Parameter gap: Space between two columns, as a fraction of the pitch.
  func columns(_ count: Int, gap: Double = 0) -> [LayoutArea] {
    let pitch = 1 / (Double(count) - gap)
    return (0..<count).map { part(Double($0) * pitch, 0, (Double($0) + 1 - gap) * pitch, 1) }
  }

  /// Equal rows.
  /// - Parameter gap: Space between two rows, as a fraction of the pitch.
  func rows(_ count: Int, gap: Double = 0) -> [LayoutArea] {
    let pitch = 1 / (Double(count) - gap)
    return (0..<count).map { part(0, Double($0) * pitch, 1, (Double($0) + 1 - gap) * pitch) }
  }
}

extension PatternCanvas {
  /// The pixels of an area; neighbours share their edges.
  func area(_ part: LayoutArea) -> PictureArea { area(part.left, part.top, part.right, part.bottom) }
}
