internal import Frames
internal import Patterns

/// Compares fine structure with its reference: position and remaining contrast.
struct DetailComparison {
  /// Larger details are compared only at their centre, at most this many pixels wide and high.
  private static let maximumExtent = 192
  /// Minimum fraction of the variance that the reference must explain for a conclusion.
  private static let minimumLikeness = 0.5
  private static let minimumEdgeLikeness = 0.95
  /// Shift in luma pixels above which there is a fault.
  static let maximumShift = 0.2
  /// Luma contrast below which there is a fault.
  static let minimumContrast = 0.8
  /// The same for chroma, which loses contrast whenever it is resubsampled.
  static let minimumChromaContrast = 0.4
  /// Luma or chroma contrast above which the picture was sharpened.
  static let maximumContrast = 1.25

  private(set) var results: [DetailResult] = []
  /// Common chroma shift of all chroma details; nil: no chroma details.
  private(set) var chromaShift: SIMD2<Double>?
  /// Common chroma shift at patch edges, in patterns without chroma details.
  private(set) var edgeShift: SIMD2<Double>?

  /// Fraction of a detail above which it is covered.
  static let maximumCovered = 0.05

  /// How well a shift explains the measurement.
  private struct Fit {
    var shift: SIMD2<Double>
    var sums: DetailSums
    var likeness: Double { sums.likeness }
  }

  init(_ drawing: PatternDrawing, _ rendition: Rendition, _ reader: SampleReader) {
    let painter = PatternPainter(drawing)
    var chroma: [DetailPart] = []
    for detail in drawing.details {
      let area = Self.area(of: detail, in: drawing.size)
      let reference = ReferenceArea(area, painter, rendition)
      let components = rendition.reading.isRGB ? [0, 1, 2] : detail.kind == .chroma ? [1, 2] : [0]
      let parts = components.compactMap { DetailPart($0, reference, reader) }
      let isChroma = detail.kind == .chroma
      let fit = Self.fit(parts, from: isChroma ? [.zero] : Self.starts, isSmooth: isChroma)
      results.append(Self.result(detail, area, fit, parts))
      if isChroma, fit != nil { chroma += parts }
    }
    if !chroma.isEmpty {
      chromaShift = Self.fit(chroma, from: [.zero], isSmooth: true)?.shift
    } else {
      edgeShift = Self.edgeShift(drawing, painter, rendition, reader)
    }
  }

  private static func edgeShift(
    _ drawing: PatternDrawing, _ painter: PatternPainter, _ rendition: Rendition, _ reader: SampleReader
  ) -> SIMD2<Double>? {
    let parts = ChromaEdges.areas(drawing, rendition).flatMap { area in
      let reference = ReferenceArea(area, painter, rendition)
      return [1, 2].compactMap { DetailPart($0, reference, reader) }
    }
    guard !parts.isEmpty, let fit = fit(parts, from: [.zero], isSmooth: true), fit.likeness >= minimumEdgeLikeness
    else {
      return nil
    }
    return fit.shift
  }

  private static func result(
    _ detail: PatternDrawing.Detail, _ area: PictureArea, _ fit: Fit?, _ parts: [DetailPart]
  ) -> DetailResult {
    guard let fit, let contrast = Self.fit(parts, at: fit.shift, slopes: false, isSmooth: false).sums.contrast else {
      return DetailResult(detail: detail, area: area, shift: nil, contrast: 0, passes: false)
    }
    let minimum = detail.kind == .chroma ? minimumChromaContrast : minimumContrast
    var result = DetailResult(
      detail: detail, area: area, shift: fit.shift, contrast: contrast,
      passes: length(fit.shift) <= maximumShift && contrast >= minimum && contrast <= maximumContrast)
    // Chroma has no structure that distinguishes it from a neutral overlay.
    if detail.kind == .luma {
      result.covered = parts.map { $0.covered(contrast: contrast, shift: fit.shift) }.max() ?? 0
      if result.covered > maximumCovered { result.passes = false }
    }
    return result
  }

  private static func area(of detail: PatternDrawing.Detail, in size: Size) -> PictureArea {
    let area = detail.area.intersection(PictureArea(size))
    return area.inset(max(area.width - maximumExtent, 0) / 2, max(area.height - maximumExtent, 0) / 2)
  }

  /// The offsets between chroma sitings, shortest first.
  private static let starts: [SIMD2<Double>] = {
    let steps = [-1, -0.5, 0, 0.5, 1]
    return steps.flatMap { x in steps.map { SIMD2(x, $0) } }.sorted { ($0 * $0).sum() < ($1 * $1).sum() }
  }()

  static func length(_ vector: SIMD2<Double>) -> Double { max(abs(vector.x), abs(vector.y)) }

  /// The shift that best explains all parts: Gauss-Newton iterations from the best starting point.
  private static func fit(_ parts: [DetailPart], from starts: [SIMD2<Double>], isSmooth: Bool) -> Fit? {
    guard var best = start(parts, from: starts, isSmooth: isSmooth) else { return nil }
    for _ in 0..<5 {
      var step = fit(parts, at: best.shift, slopes: true, isSmooth: isSmooth).sums.step
      guard length(step) > 0.004 else { break }
      step /= max(length(step), 1)
      let moved = fit(parts, at: best.shift + step, slopes: false, isSmooth: isSmooth)
      guard length(moved.shift) < 2, moved.likeness > best.likeness else { break }
      best = moved
    }
    return best.likeness >= minimumLikeness ? best : nil
  }

  private static func start(_ parts: [DetailPart], from starts: [SIMD2<Double>], isSmooth: Bool) -> Fit? {
    var best: Fit?
    for shift in starts {
      let fit = fit(parts, at: shift, slopes: false, isSmooth: isSmooth)
      // Among equally good shifts, the shortest.
      if fit.likeness > (best?.likeness ?? 0) + 1e-3 { best = fit }
    }
    return best
  }

  private static func fit(_ parts: [DetailPart], at shift: SIMD2<Double>, slopes: Bool, isSmooth: Bool) -> Fit {
    var sums = DetailSums()
    for part in parts { part.add(to: &sums, shift: shift, slopes: slopes, isSmooth: isSmooth) }
    return Fit(shift: shift, sums: sums)
  }
}

/// Least-squares sums of measured samples against a shifted reference.
struct DetailSums {
  private var squares = 0.0
  private var products = 0.0
  private var total = 0.0
  /// Products of the derivatives by shift, right and down: with themselves, each other, the reference and the
  /// measurement.
  private var change = SIMD2<Double>.zero
  private var mixed = 0.0
  private var changeBase = SIMD2<Double>.zero
  private var changeMeasured = SIMD2<Double>.zero

  /// The shift along an axis is undetermined if the reference varies along it by less than this fraction of the other
  /// axis.
  private static let minimumChange = 0.02

  mutating func add(_ base: Double, measured: Double) {
    squares += base * base
    products += base * measured
    total += measured * measured
  }

  mutating func add(_ change: SIMD2<Double>, base: Double, measured: Double) {
    self.change += change * change
    mixed += change.x * change.y
    changeBase += base * change
    changeMeasured += measured * change
  }

  /// Remaining contrast; nil if there is nothing to compare.
  var contrast: Double? { squares > 0 && total > 0 ? products / squares : nil }

  /// Share of the variance that the reference explains.
  var likeness: Double {
    guard let contrast, contrast > 0 else { return 0 }
    return products * contrast / total
  }

  /// Correction of the shift, along the directions in which the reference varies.
  var step: SIMD2<Double> {
    guard let contrast, contrast > 0 else { return .zero }
    // Residuals of the measurement and of the derivatives, with the reference projected out.
    let right = (changeMeasured - contrast * changeBase) / contrast
    let xx = change.x - changeBase.x * changeBase.x / squares
    let yy = change.y - changeBase.y * changeBase.y / squares
    let xy = mixed - changeBase.x * changeBase.y / squares
    // Eigenvalues and eigenvectors of the symmetric matrix.
    let middle = (xx + yy) / 2
    let radius = ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
    guard middle + radius > 0 else { return .zero }
    var first = SIMD2(xy, middle + radius - xx)
    if first == .zero { first = xx >= yy ? SIMD2(1, 0) : SIMD2(0, 1) }
    first /= (first * first).sum().squareRoot()
    var step = first * ((first * right).sum() / (middle + radius))
    if middle - radius > Self.minimumChange * (middle + radius) {
      let second = SIMD2(-first.y, first.x)
      step += second * ((second * right).sum() / (middle - radius))
    }
    return step
  }
}

/// Edges between patches of different chroma, as areas that show the chroma siting in patterns without chroma details.
struct ChromaEdges {
  /// Pixels across and down of an area.
  private static let extent = 64
  /// Pixels from an edge to where its two colours are looked up.
  private static let distance = 6
  /// Minimum chroma difference of useful edges, in ten-bit codes.
  private static let minimumStep = 40.0
  /// Maximum number of areas around vertical edges, and around horizontal ones.
  private static let maximumAreas = 4

  private let drawing: PatternDrawing
  private let rendition: Rendition

  /// - Returns: Areas of the picture, if the pattern fills it pixel by pixel; empty if they would not determine both
  ///   axes.
  static func areas(_ drawing: PatternDrawing, _ rendition: Rendition) -> [PictureArea] {
    // Tone curves shift edges where luma changes with chroma, so mapped patterns are inconclusive.
    guard !rendition.reading.isRGB, rendition.expectation.name == nil, !rendition.isRetagged else { return [] }
    let edges = ChromaEdges(drawing: drawing, rendition: rendition)
    let (across, down) = (edges.areas(isVertical: true), edges.areas(isVertical: false))
    return across.isEmpty || down.isEmpty ? [] : across + down
  }

  private func areas(isVertical: Bool) -> [PictureArea] {
    let edges = drawing.patches.compactMap { patch -> (x: Int, y: Int, step: Double)? in
      let (x, y) =
        isVertical
        ? (patch.area.maxX, patch.area.y + patch.area.height / 2)
        : (patch.area.x + patch.area.width / 2, patch.area.maxY)
      let step = isVertical ? (Self.distance, 0) : (0, Self.distance)
      guard let near = chroma(x - step.0, y - step.1), let far = chroma(x + step.0, y + step.1) else { return nil }
      let difference = far - near
      let size = (difference * difference).sum().squareRoot() / rendition.reading.unit
      return size >= Self.minimumStep ? (x, y, size) : nil
    }
    var result: [PictureArea] = []
    for edge in edges.sorted(by: { $0.step > $1.step }) where result.count < Self.maximumAreas {
      let half = Self.extent / 2
      let area = PictureArea(x: edge.x - half, y: edge.y - half, width: Self.extent, height: Self.extent)
      let isInside = area.intersection(PictureArea(drawing.size)) == area
      if isInside, result.touching(area).isEmpty { result.append(area) }
    }
    return result
  }

  /// Returns Cb and Cr of the flat colour visible at a pixel.
  private func chroma(_ x: Int, _ y: Int) -> SIMD2<Double>? {
    var signal = drawing.background
    if let element = drawing.elements.last(where: { $0.area.contains(x: x, y: y) }) {
      guard case .flat(let color) = element.content else { return nil }
      signal = color
    }
    let components = rendition.reading.components(rendition.signal(signal))
    return SIMD2(components.y, components.z)
  }
}

/// Finds the frame whose details differ most from the first frame's.
struct DetailWatch {
  /// Samples every nth row of a detail.
  private static let rowStep = 4
  /// Mean difference of a detail in ten-bit codes that occurs in healthy streams.
  private static let defaultDifference = 1.0

  private let details: [PatternDrawing.Detail]
  private let first: [[Double]]
  private let unit: Double
  private var worst = defaultDifference
  private(set) var other: (frame: CodedFrame, index: Int)?

  init(_ reader: SampleReader, _ details: [PatternDrawing.Detail]) {
    self.details = details
    first = details.map { Self.samples(reader, $0) }
    unit = reader.tenBitCode
  }

  mutating func look(at frame: CodedFrame, _ reader: SampleReader, index: Int) {
    for (detail, before) in zip(details, first) where !before.isEmpty {
      let now = Self.samples(reader, detail)
      let sum = zip(now, before).reduce(0) { $0 + abs($1.0 - $1.1) }
      let difference = sum / Double(before.count) / unit
      if difference > worst { (worst, other) = (difference, (frame, index)) }
    }
  }

  private static func samples(_ reader: SampleReader, _ detail: PatternDrawing.Detail) -> [Double] {
    var result: [Double] = []
    for component in detail.kind == .chroma ? [1, 2] : [0] {
      let area = reader.area(component, of: detail.area)
      for y in stride(from: area.y, to: area.maxY, by: rowStep) {
        reader.row(component, y, from: area.x, count: area.width) { result.append($1) }
      }
    }
    return result
  }
}
