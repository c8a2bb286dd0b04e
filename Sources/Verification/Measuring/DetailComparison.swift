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
    let least = detail.kind == .chroma ? minimumChromaContrast : minimumContrast
    var result = DetailResult(
      detail: detail, area: area, shift: fit.shift, contrast: contrast,
      passes: length(fit.shift) <= maximumShift && contrast >= least && contrast <= maximumContrast)
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
