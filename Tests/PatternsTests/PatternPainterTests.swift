import ColorScience
import Frames
import Lettering
import Patterns
import Synchronization
import Testing

@Suite struct PatternPainterTests {
  private static let typeface = try? Typeface.default()

  /// A bit of everything: content of each kind, elements over one another and beyond the picture, labels on edges, signals
  /// beyond what codes can be.
  static func drawing(_ size: Size) -> PatternDrawing {
    var drawing = PatternDrawing(
      PatternCanvas(size: size, signal: PatternSignal(.hdr10)), background: SIMD3(0.1, 0.2, 0.3))
    let (width, height) = (size.width, size.height)
    func add(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ content: PatternDrawing.Content) {
      drawing.elements.append(.init(PictureArea(x: x, y: y, width: width, height: height), content))
    }
    add(0, 0, width, height / 5, .columns { SIMD3(Double($0) / Double(width), 0.5, 1 - Double($0) / 50) })
    add(3, height / 7, width / 2, height / 3, .flat(SIMD3(1.2, -0.3, 0.5)))
    add(-5, height / 4, width / 3, height / 2, .rows { SIMD3(Double($0 % 7) / 7, 0.25, 0.75) })
    add(
      width / 2, height / 3, width, height,
      .pixels { SIMD3(Double(($0 * 31 + $1 * 17) % 97) / 97, Double($1 % 2), 0.4) })
    add(width / 2 + 3, height - height / 4, 9, height, .flat(SIMD3(0, 0, 1)))
    add(-20, -20, 15, 15, .flat(SIMD3(1, 1, 1)))
    add(5, height / 2, 0, 4, .flat(SIMD3(1, 1, 1)))
    add(7, height - 3, width - 9, 1, .columns { SIMD3(repeating: Double($0 % 2)) })
    func label(_ text: String, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ side: PatternDrawing.Label.Alignment)
    {
      drawing.labels.append(
        .init(
          text, area: PictureArea(x: x, y: y, width: width, height: height), alignment: side, signal: SIMD3(1, 0.9, 0.1)
        ))
    }
    label("1000 cd/m²", 2, 3, width - 4, 12, .center)
    label("a long label that has to shrink", 0, height / 2, width, 30, .leading)
    label("203", width - 20, height - 15, 30, 20, .trailing)
    label("too low", 0, 0, width, 6, .leading)
    return drawing
  }

  struct Form: Sendable, CustomTestStringConvertible {
    let layout: PixelLayout
    let location: ChromaLocation
    let range: VideoRange
    var testDescription: String { "\(layout.components) \(layout.bitDepth) \(location) \(range)" }
  }

  static let forms =
    ChromaLocation.allCases.map { Form(layout: PixelLayout(.ycbcr420, bitDepth: 10), location: $0, range: .narrow) }
    + [.left, .center].map { Form(layout: PixelLayout(.ycbcr422, bitDepth: 12), location: $0, range: .full) } + [
      Form(layout: PixelLayout(.ycbcr420, bitDepth: 8), location: .left, range: .narrow),
      Form(layout: PixelLayout(.ycbcr444, bitDepth: 10), location: .left, range: .narrow),
      Form(layout: PixelLayout(.rgb, bitDepth: 8), location: .left, range: .full),
      Form(layout: PixelLayout(.rgb, bitDepth: 16), location: .left, range: .full),
      Form(layout: PixelLayout(.rgb, bitDepth: 12), location: .left, range: .narrow),
    ]

  /// Bars whose rows are all the same, so that strips begin within them.
  private static func bars(_ size: Size) -> PatternDrawing {
    var drawing = PatternDrawing(PatternCanvas(size: size, signal: PatternSignal(.hdr10)))
    let area = PictureArea(x: 0, y: 0, width: size.width, height: size.height - 1)
    drawing.elements = [.init(area, .columns { SIMD3(Double($0 % 3) / 3, Double($0 % 5) / 5, 0.5) })]
    return drawing
  }

  /// The codes are those of the plain form, bit by bit; 129 rows of chroma and more make several strips.
  @Test(arguments: forms)
  func framesAreThoseOfThePlainForm(_ form: Form) {
    let sizes = [Size(width: 64, height: 64), Size(width: 77, height: 131), Size(width: 66, height: 258)]
    for drawing in sizes.map(Self.drawing) + [Self.bars(Size(width: 24, height: 1500))] {
      let color = ColorDescription(
        primaries: .bt2020, transfer: .pq, matrix: form.layout.components == .rgb ? .rgb : .bt2020NCL,
        range: form.range, chromaLocation: form.location)
      let expected = CodedFrame(size: drawing.size, layout: form.layout, color: color)
      PlainPainter(drawing, typeface: Self.typeface).paint(into: expected)
      for threads in [nil, 1, 3] {
        let frame = CodedFrame(size: drawing.size, layout: form.layout, color: color)
        PatternPainter(drawing, typeface: Self.typeface).paint(into: frame, threads: threads)
        #expect(frame.samples == expected.samples, "\(drawing.size), \(threads ?? 0) threads")
      }
    }
  }

  @Test func rowsAreThoseOfThePlainForm() {
    let drawing = Self.drawing(Size(width: 90, height: 70))
    let (painter, plain) = (
      PatternPainter(drawing, typeface: Self.typeface), PlainPainter(drawing, typeface: Self.typeface)
    )
    var row = [SIMD3<Double>](repeating: .zero, count: 90)
    for y in [40, 3, 69, 0, 11] {
      painter.paint(row: y, into: &row)
      #expect(row == (0..<90).map { plain.signal($0, y) })
    }
  }

  @Test func withoutAFontOnlyLabelsAreLeftOut() {
    let drawing = Self.drawing(Size(width: 90, height: 70))
    let (painter, plain) = (PatternPainter(drawing, typeface: nil), PlainPainter(drawing))
    var row = [SIMD3<Double>](repeating: .zero, count: 90)
    painter.paint(row: 8, into: &row)
    #expect(row == (0..<90).map { plain.signal($0, 8) })
    var lettered = row
    PatternPainter(drawing, typeface: Self.typeface).paint(row: 8, into: &lettered)
    #expect(lettered != row)
  }

  /// A letter is its own colour inside and lies within its area, whatever the alignment.
  @Test(arguments: [PatternDrawing.Label.Alignment.leading, .center, .trailing])
  func labelsLieInTheirAreas(_ alignment: PatternDrawing.Label.Alignment) throws {
    let typeface = try #require(Self.typeface)
    let size = Size(width: 200, height: 64)
    var drawing = PatternDrawing(PatternCanvas(size: size, signal: PatternSignal(.sdr)), background: .zero)
    let area = PictureArea(x: 30, y: 10, width: 120, height: 40)
    drawing.labels = [.init("HI", area: area, alignment: alignment, signal: SIMD3(0.25, 0.5, 0.75))]
    let painter = PatternPainter(drawing, typeface: typeface)
    var (left, right, full) = (size.width, -1, 0)
    for y in 0..<size.height {
      var row = [SIMD3<Double>](repeating: .zero, count: size.width)
      painter.paint(row: y, into: &row)
      for x in row.indices where row[x] != .zero {
        #expect(area.contains(x: x, y: y))
        (left, right) = (min(left, x), max(right, x))
        full += row[x] == SIMD3(0.25, 0.5, 0.75) ? 1 : 0
      }
    }
    #expect(full > 150)
    switch alignment {
    case .leading: #expect(left < 36 && right < 80)
    case .center: #expect(abs((left - area.x) - (area.maxX - 1 - right)) <= 2)
    case .trailing: #expect(left > 100 && right > 142)
    }
  }

  /// Values on and near half codes, out-of-range values, and NaN.
  @Test(arguments: [8, 10, 12, 16], [VideoRange.narrow, .full])
  func codesAreRoundedAsBySampleScale(_ bitDepth: Int, _ range: VideoRange) {
    let scale = SampleScale(bitDepth: bitDepth, range: range)
    let size = Size(width: 300, height: 83)
    let halves = (0..<size.width * size.height / 3).map { index -> Double in
      let half = bitDepth == 16 ? index * 17 : index - 20
      return (Double(half) / 2 - scale.lumaOffset) / scale.lumaScale
    }
    let others = [Double.nan, .infinity, -.infinity, 1e300, -0.0]
    let signals = others + halves.flatMap { [$0.nextDown, $0, $0.nextUp] }
    let signal = PatternSignal(.hdr10, range: range, bitDepth: bitDepth)
    var drawing = PatternDrawing(PatternCanvas(size: size, signal: signal))
    drawing.elements = [.init(PictureArea(size), .pixels { SIMD3(repeating: signals[$1 * size.width + $0]) })]
    let color = ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .rgb, range: range)
    let frame = CodedFrame(size: size, layout: PixelLayout(.rgb, bitDepth: bitDepth), color: color)
    PatternPainter(drawing).paint(into: frame)
    let expected = signals.prefix(size.width * size.height).map(scale.code(fromLuma:))
    #expect(frame.samples == [expected, expected, expected])
  }

  @Test func lightIsThatOfTheExactSignals() {
    let size = Size(width: 90, height: 70)
    let drawing = Self.drawing(size)
    let plain = PlainPainter(drawing, typeface: Self.typeface)
    for kind in PatternSignal.Kind.allCases {
      let signal = PatternSignal(kind)
      let rows = Mutex([[SIMD3<Double>]](repeating: [], count: size.height))
      PatternPainter(drawing, typeface: Self.typeface).paintLight(of: signal) { y, light in
        rows.withLock { $0[y] = light }
      }
      for (y, light) in rows.withLock({ $0 }).enumerated() {
        #expect(light == (0..<size.width).map { signal.nits(plain.signal($0, y)) }, "row \(y)")
      }
    }
  }
}
