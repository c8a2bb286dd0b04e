internal import ColorScience
internal import Frames
internal import Patterns

/// Faults of fine structure.
struct DetailFaults {
  private(set) var faults: [Fault] = []
  /// Maximum deviation, in luma pixels, of a shift from that between two sitings.
  private static let slack = 0.2
  /// The same for shifts measured at patch edges, which must be more certain.
  private static let edgeSlack = 0.12
  private static let minimumEdgeShift = 0.3
  /// Contrast of fine chroma above which the mapping left it unchanged.
  private static let unchangedContrast = 0.8

  /// The details, each with the reason why it fails.
  private(set) var results: [DetailResult]

  /// - Parameter colors: If these are wrong, contrast changes too, and only missing structure is a fault.
  init(_ measurement: PatternMeasurement, _ colors: ColorFaults) {
    let reading = measurement.rendition.reading
    results = measurement.details
    let colorReason = colors.faults.isEmpty ? nil : colors.explanation ?? colors.faults[0].name
    var chroma: Fault?
    let isChanged = changesChroma(measurement)
    if let shift = measurement.chromaShift {
      if !isChanged, DetailComparison.length(shift) > DetailComparison.maximumShift {
        chroma = Self.shiftFault(shift, reading)
      }
    } else if let shift = measurement.edgeShift, colors.faults.isEmpty,
      DetailComparison.length(shift) > Self.minimumEdgeShift
    {
      chroma = Self.locationFault(shift, reading, slack: Self.edgeSlack) ?? Self.chromaShift(shift)
    }
    if let chroma { faults.append(chroma) }
    acceptRendition(measurement, isChanged: isChanged)
    for index in results.indices where !results[index].passes {
      let fault = Self.fault(results[index], frame: measurement.detailFrames[index], chroma)
      let isByColor = fault.name == "contrast" && results[index].contrast ?? 0 > 0
      if isByColor, let colorReason {
        results[index].reason = colorReason
        continue
      }
      results[index].reason = fault.name
      if !faults.contains(where: { $0.name == fault.name }) { faults.append(fault) }
    }
  }

  /// A mapping that brings fine chroma into a smaller gamut changes its form, which looks like a shift.
  private func changesChroma(_ measurement: PatternMeasurement) -> Bool {
    measurement.rendition.expectation.name != nil
      && results.contains { $0.detail.kind == .chroma && $0.contrast ?? 1 < Self.unchangedContrast }
  }

  /// A mapping affects fine chroma in the same way if it was resampled twice: half of the contrast is enough.
  private mutating func acceptRendition(_ measurement: PatternMeasurement, isChanged: Bool) {
    guard measurement.rendition.expectation.name != nil else { return }
    let chroma = results.indices.filter { results[$0].detail.kind == .chroma && results[$0].area != nil }
    let failing = chroma.filter { !results[$0].passes }
    let isVisible = chroma.allSatisfy { results[$0].contrast ?? 0 >= DetailComparison.minimumChromaContrast }
    guard 2 * failing.count <= chroma.count || isChanged && isVisible else { return }
    for index in failing { (results[index].passes, results[index].reason) = (true, "rendition") }
  }

  /// Why a detail fails.
  /// - Parameter chroma: The fault of chroma as a whole.
  private static func fault(_ detail: DetailResult, frame: Int?, _ chroma: Fault?) -> Fault {
    let place = frame.map { " in frame \($0)" } ?? ""
    let isChroma = detail.detail.kind == .chroma
    let minimum = isChroma ? DetailComparison.minimumChromaContrast : DetailComparison.minimumContrast
    guard let contrast = detail.contrast, contrast > 0 else {
      return Fault("contrast", "The structure of '\(detail.detail.name)' is not visible\(place).")
    }
    if contrast < minimum {
      let left = FaultFigure.percent(min(contrast, 10))
      return Fault(
        "contrast", "Fine structure is blurred\(place): '\(detail.detail.name)' retains \(left) of its contrast.")
    }
    if contrast > DetailComparison.maximumContrast {
      let words = "'\(detail.detail.name)' has \(FaultFigure.percent(min(contrast, 10))) of its contrast"
      return Fault("contrast", "Fine structure is sharpened\(place): \(words).")
    }
    if isChroma, let chroma { return chroma }
    if detail.covered > DetailComparison.maximumCovered {
      let share = FaultFigure.percent(detail.covered)
      return Fault(Assessment.overlay, "Something covers \(share) of '\(detail.detail.name)'\(place).")
    }
    let words = words(detail.shift ?? .zero)
    return Fault(
      isChroma ? "chroma-shift" : "details", "'\(detail.detail.name)' is shifted \(words)\(place).")
  }

  private static func chromaShift(_ shift: SIMD2<Double>) -> Fault {
    Fault("chroma-shift", "Chroma is shifted \(words(shift)) from luma, which no two sitings explain.")
  }

  /// - Parameter shift: To the right and down, in pixels of luma.
  private static func shiftFault(_ shift: SIMD2<Double>, _ reading: SignalReading) -> Fault {
    guard reading.layout.chromaShiftX == 1 || reading.isRGB else {
      return Fault("chroma-shift", "Chroma is shifted \(words(shift)) from luma.")
    }
    return locationFault(shift, reading, slack: slack) ?? chromaShift(shift)
  }

  /// Chroma sited at one place and read at another is shifted by the difference.
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
          "Chroma is shifted \(words(shift)) from luma: it is sited \(actual.words), but the tags say \(tagged.words). "
            + "Correct the siting or the tags.")
      }
      if isShift(actual.offset - tagged.offset) {
        return Fault(
          "chroma-location",
          "Chroma is shifted \(words(shift)) from luma: chroma sited \(tagged.words) was read as \(actual.words) "
            + "on the way here.")
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

/// Faults of the pattern's placement. Scaling and bars around it are not faults, unless the pattern consists of single
/// pixels.
struct PlacementFaults {
  private(set) var faults: [Fault] = []

  /// Tolerated missing pixels per side: placement is not more precise.
  private static let slack = 1

  init(_ measurement: PatternMeasurement) {
    let placement = measurement.placement
    if let words = placement.orientation.words {
      let name = placement.orientation.isMirrored ? "placement.mirrored" : "placement.turned"
      faults.add(name, "The picture is \(words).")
    }
    let cutOff = placement.cutOff
    if max(cutOff.left, cutOff.top, cutOff.right, cutOff.bottom) > Self.slack {
      faults.add("placement.cut-off", "Part of the pattern is outside the picture: \(cutOff.words) cropped.")
    } else if faults.isEmpty, !measurement.details.isEmpty, !placement.isExact,
      placement.picture == placement.rotatedCanvas
    {
      faults.append(Self.inexact(placement))
    }
  }

  /// The fault of a fine-structure pattern that is not shown pixel by pixel in a picture of its size.
  private static func inexact(_ placement: Placement) -> Fault {
    let name = placement.isScaled ? "placement.scaled" : "placement.shifted"
    return Fault(
      name,
      "The pattern should fill the picture pixel by pixel; found: \(placement.words). Its fine structure was not "
        + "measured.")
  }
}
