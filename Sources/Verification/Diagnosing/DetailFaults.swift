internal import ColorScience
internal import Frames
internal import Patterns

/// What is wrong with fine structure.
struct DetailFaults {
  private(set) var faults: [Fault] = []
  /// A shift is that between two sitings where it is not further off than this, in pixels of luma.
  private static let slack = 0.2
  /// The same of what edges of patches show, which must be clearer.
  private static let edgeSlack = 0.12
  private static let leastEdgeShift = 0.3

  /// - Parameter areColorsWrong: Then contrast is another for this reason, and only what is gone is a fault.
  init(_ measurement: PatternMeasurement, areColorsWrong: Bool) {
    let (details, reading) = (measurement.details, measurement.rendition.reading)
    if let shift = measurement.chromaShift {
      if DetailComparison.length(shift) > DetailComparison.mostShift { faults.append(Self.shiftFault(shift, reading)) }
    } else if let shift = measurement.edgeShift, !areColorsWrong, DetailComparison.length(shift) > Self.leastEdgeShift,
      let fault = Self.locationFault(shift, reading, slack: Self.edgeSlack)
    {
      faults.append(fault)
    }
    for kind in [PatternDrawing.Detail.Kind.luma, .chroma] {
      let measured = details.filter { $0.detail.kind == kind && $0.area != nil }
      if let fault = Self.contrastFault(measured, kind, areColorsWrong) { faults.append(fault) }
    }
    let moved = details.filter {
      guard $0.detail.kind == .luma, let shift = $0.shift else { return false }
      return max(abs(shift.x), abs(shift.y)) > DetailComparison.mostShift
    }
    if let detail = moved.first, let shift = detail.shift {
      faults.append(
        Fault("details", "'\(detail.detail.name)' lies \(Self.words(shift)) from where it should."))
    }
  }

  /// Of luma a single detail that is blurred is a fault; of chroma, whose filters differ, half of them.
  private static func contrastFault(
    _ details: [DetailResult], _ kind: PatternDrawing.Detail.Kind, _ areColorsWrong: Bool
  ) -> Fault? {
    let least = kind == .chroma ? DetailComparison.leastChromaContrast : DetailComparison.leastContrast
    let blurred = details.filter { $0.contrast ?? 0 == 0 || !areColorsWrong && $0.contrast ?? 0 < least }
    guard let worst = blurred.min(by: { $0.contrast ?? 0 < $1.contrast ?? 0 }),
      kind == .luma || 2 * blurred.count > details.count
    else { return nil }
    let left = Int((100 * min(max(worst.contrast ?? 0, 0), 10)).rounded())
    return Fault(
      "contrast",
      worst.contrast ?? 0 == 0
        ? "The structure of '\(worst.detail.name)' is not seen."
        : "Fine structure is blurred: '\(worst.detail.name)' has \(left) % of its contrast.")
  }

  /// - Parameter shift: To the right and down, in pixels of luma.
  private static func shiftFault(_ shift: SIMD2<Double>, _ reading: SignalReading) -> Fault {
    guard reading.layout.chromaShiftX == 1 || reading.isRGB else {
      return Fault("chroma-shift", "Chroma lies \(words(shift)) from luma.")
    }
    return locationFault(shift, reading, slack: slack)
      ?? Fault("chroma-shift", "Chroma lies \(words(shift)) from luma, which no two sitings explain.")
  }

  /// Chroma that is sited at one place and read at another is moved by the way from the one to the other.
  private static func locationFault(_ shift: SIMD2<Double>, _ reading: SignalReading, slack: Double) -> Fault? {
    let tagged = reading.color.chromaLocation
    let isVertical = reading.layout.chromaShiftY == 1 || reading.isRGB
    func isShift(_ way: SIMD2<Double>) -> Bool {
      abs(way.x - shift.x) <= slack && abs((isVertical ? way.y : 0) - shift.y) <= slack
    }
    for actual in ChromaLocation.allCases where actual != tagged {
      if isShift(tagged.offset - actual.offset) {
        return Fault(
          "chroma-location",
          "Chroma lies \(words(shift)) from luma: it is sited \(actual.words), and the tags say \(tagged.words). "
            + "Site it as tagged, or tag it as sited.")
      }
      if isShift(actual.offset - tagged.offset) {
        return Fault(
          "chroma-location",
          "Chroma lies \(words(shift)) from luma: chroma sited \(tagged.words) was read as \(actual.words) on the way here."
        )
      }
    }
    return nil
  }

  /// "0.5 pixels down".
  private static func words(_ shift: SIMD2<Double>) -> String {
    func part(_ value: Double, _ positive: String, _ negative: String) -> String? {
      abs(value) < 0.05 ? nil : "\((100 * abs(value)).rounded() / 100) pixels \(value > 0 ? positive : negative)"
    }
    let parts = [part(shift.x, "right", "left"), part(shift.y, "down", "up")].compactMap { $0 }
    return parts.isEmpty ? "0 pixels" : parts.joined(separator: " and ")
  }
}

extension ChromaLocation {
  /// For messages: "top-left".
  fileprivate var words: String {
    switch self {
    case .left: "left"
    case .center: "center"
    case .topLeft: "top-left"
    case .top: "top"
    case .bottomLeft: "bottom-left"
    case .bottom: "bottom"
    }
  }
}
