internal import ColorScience
internal import Frames
internal import HTMLReports
internal import Patterns

extension Verification {
  /// A line of the report header.
  typealias Fact = (name: String, value: String)

  /// The final verdict: "PASSED", "NOT PASSED: 2 faults".
  var conclusion: String {
    switch verdict {
    case .passed: "PASSED"
    case .notPassed: "NOT PASSED: \(Figures.count(faults.count, "fault"))"
    case .notFound:
      "NOT FOUND: the pattern \(pattern.name) is not in \(input.frames == 1 ? "the picture" : "the pictures") that "
        + "\(input.frames == 1 ? "was" : "were") read"
    }
  }

  /// The pattern, the input, and where the pattern was found.
  var facts: [Fact] {
    var facts: [Fact] = [
      ("Pattern", "\(pattern.name): \(pattern.summary)"), ("Source", pattern.source), ("Drawn as", drawnWords),
    ]
    if let expectation { facts.append(("Expected", expectation)) }
    facts += [("Input", input.name), ("Read as", readWords), ("Metadata", metadataWords)]
    if let placement { facts.append(("Found", placement.words)) }
    facts.append(("Frames", "\(input.frames) read, \(measuredFrames) measured"))
    facts.append(("Tolerance", "ΔE ITP \(Figures.fixed(tolerance.deltaE, 2))"))
    return facts.map { ($0.name, $0.value.visible) }
  }

  private var drawnWords: String {
    let signal = canvas.signal
    let values = pattern.parameters.compactMap { parameter -> String? in
      guard let value = canvas.values[parameter.name] else { return nil }
      if parameter.isSwitch { return value == parameter.default ? nil : "\(parameter.name) \(parameter.text(value))" }
      return "\(parameter.name) \(Figures.shortest(value))"
    }
    let range = signal.range == .full ? "full" : "limited"
    return (["\(canvas.size) \(signal.kind.words), \(range) range, \(signal.bitDepth) bit"] + values)
      .joined(separator: ", ")
  }

  private var readWords: String {
    let color = input.color
    var words =
      "\(input.size) \(input.layout.words): \(color.transfer), \(color.primaries), \(color.matrix), "
      + "\(color.range == .full ? "full" : "limited") range"
    if input.layout.chromaShiftX > 0 { words += ", chroma \(color.chromaLocation)" }
    return words
  }

  private var metadataWords: String {
    let metadata = input.metadata
    var parts: [String] = []
    if let display = metadata.masteringDisplay {
      parts.append("mastering display \(Figures.nits(display.minNits)) to \(Figures.nits(display.maxNits)) cd/m²")
    }
    if let light = metadata.contentLight { parts.append("MaxCLL \(light.maxCLL), MaxFALL \(light.maxFALL) cd/m²") }
    if metadata.ambientViewing != nil { parts.append("ambient viewing environment") }
    if metadata.dolbyVision != nil || metadata.hasDolbyVisionRPU { parts.append("Dolby Vision") }
    if metadata.hdr10Plus != nil { parts.append("HDR10+") }
    if metadata.adaptiveToneMap != nil { parts.append("ST 2094-50") }
    return parts.isEmpty ? "no HDR metadata" : parts.joined(separator: "; ")
  }

  /// Findings about the pattern as a whole.
  var findings: [Fact] {
    guard verdict != .notFound else { return [] }
    var facts: [Fact] = []
    if !patches.isEmpty { facts.append(("Patches", counts.words)) }
    if let gamut, !gamut.coverage.isEmpty {
      let words = gamut.coverage.map { "\($0.gamut.words) \(Figures.percent($0.share))" }
      facts.append(("Gamut coverage", words.joined(separator: ", ") + " of the area in CIE 1976 u'v'"))
    }
    if let clipPoint { facts.append(("Clip point", "\(Figures.nits(clipPoint)) cd/m²: all brighter parts look alike")) }
    if let black { facts.append(("Black", "\(Figures.nits(black)) cd/m²")) }
    return facts
  }

  /// The outcome.
  enum Verdict: Equatable {
    case passed
    case notPassed
    /// The input does not contain the pattern.
    case notFound
  }

  var verdict: Verdict { placement == nil ? .notFound : passes ? .passed : .notPassed }

  /// Samples are linear light, measured as if in the codes of the pattern.
  private var isLinear: Bool { input.layout.samples == .half }

  /// The code scale of signals: bit depth and range of the input.
  var codes: SampleScale {
    isLinear
      ? SampleScale(bitDepth: canvas.signal.bitDepth, range: .full)
      : SampleScale(bitDepth: min(max(input.layout.bitDepth, 8), 16), range: input.color.range)
  }

  /// Returns measured light as a colour in the primaries that the input is tagged with.
  func color(_ nits: SIMD3<Double>) -> DisplayColor {
    DisplayColor(nits: nits, in: (isLinear ? nil : input.color.primaries.space) ?? canvas.signal.space)
  }

  /// Returns the luminance in cd/m² of a grey signal of the input.
  func luminance(gray: Double) -> Double {
    let kind: PatternSignal.Kind =
      switch input.color.transfer {
      case .pq: .hdr10
      case .hlg: .hlg
      case .sRGB: .sRGB
      case .linear, .unspecified: canvas.signal.kind
      default: .sdr
      }
    return color(PatternSignal(kind).nits(SIMD3(repeating: gray))).luminance
  }

  /// Patches by group, in order of the groups' first appearance.
  var groups: [(name: String, patches: [PatchResult])] {
    var places: [String: Int] = [:]
    var result: [(name: String, patches: [PatchResult])] = []
    for patch in patches {
      if let place = places[patch.patch.group] {
        result[place].patches.append(patch)
      } else {
        places[patch.patch.group] = result.count
        result.append((patch.patch.group, [patch]))
      }
    }
    return result
  }

  /// Number of patches per verdict: the same in text, table, page and JSON.
  struct Counts {
    var all: Int
    var passing: Int
    var failing: Int
    var unmeasured: Int

    /// "22 of 24 within tolerance, 2 fail".
    var words: String {
      var parts = ["\(passing) of \(all) within tolerance"]
      if failing > 0 { parts.append("\(failing) \(failing == 1 ? "fails" : "fail")") }
      if unmeasured > 0 { parts.append("\(unmeasured) not measured") }
      return parts.joined(separator: ", ")
    }
  }

  var counts: Counts {
    Counts(
      all: patches.count, passing: patches.count { $0.mark == .passes }, failing: patches.count { $0.mark == .fails },
      unmeasured: patches.count { $0.mark == .none })
  }
}

extension FrameResult {
  /// The frame numbers, and faults in their order.
  var words: String {
    var parts = ["numbers \(first) to \(last)"]
    if !repeated.isEmpty { parts.append("\(repeated.count) repeated, at \(Figures.list(repeated))") }
    if !dropped.isEmpty {
      let places = dropped.prefix(12).map { "\($0.count) after \($0.after)" } + (dropped.count > 12 ? ["and more"] : [])
      parts.append("dropped \(places.joined(separator: ", "))")
    }
    if !reordered.isEmpty { parts.append("\(reordered.count) out of order, at \(Figures.list(reordered))") }
    if unreadable > 0 { parts.append("\(unreadable) unreadable") }
    if !torn.isEmpty { parts.append("\(torn.count) torn, at \(Figures.list(torn))") }
    if !blended.isEmpty { parts.append("\(blended.count) blended, at \(Figures.list(blended))") }
    return parts.count == 1 ? parts[0] + ", none repeated, none dropped" : parts.joined(separator: "; ")
  }
}

extension DetailResult {
  /// "0.02 right, -0.50 down".
  var shiftWords: String {
    shift.map { "\(Figures.signed($0.x, 2)) right, \(Figures.signed($0.y, 2)) down" } ?? Figures.none
  }

  var mark: Mark { Mark(passes: passes, isMeasured: shift != nil || contrast != nil) }
}

extension ColorPrimaries {
  /// The common name of a gamut.
  var words: String {
    switch self {
    case .bt709: "BT.709"
    case .bt2020: "BT.2020"
    case .dciP3, .displayP3: "P3"
    case .bt470BG, .smpte170M: "BT.601"
    default: "\(self)"
    }
  }
}

extension PatternSignal.Kind {
  var words: String {
    switch self {
    case .hdr10: "PQ"
    case .hlg: "HLG"
    case .sdr: "SDR"
    case .bt601x525: "BT.601 525"
    case .bt601x625: "BT.601 625"
    case .sRGB: "sRGB"
    }
  }
}

extension PixelLayout {
  var words: String {
    let name =
      switch components {
      case .ycbcr420: "Y'CbCr 4:2:0"
      case .ycbcr422: "Y'CbCr 4:2:2"
      case .ycbcr444: "Y'CbCr 4:4:4"
      case .rgb: "R'G'B'"
      case .gray: "Y' 4:0:0"
      }
    return samples == .half ? "linear R, G, B, half float" : "\(name) \(bitDepth) bit"
  }
}

extension PatchResult {
  var mark: Mark { Mark(passes: passes, isMeasured: measured != nil) }
}

extension RampResult {
  /// Whether anything was measured.
  var isMeasured: Bool { !points.isEmpty }

  var mark: Mark { Mark(passes: passes, isMeasured: isMeasured) }

  /// Mean and maximum ΔE ITP, and the number of levels.
  var figures: [String] {
    isMeasured
      ? [Figures.fixed(meanDeltaE, 2), Figures.fixed(worstDeltaE, 2), "\(levels)"]
      : [Figures.none, Figures.none, Figures.none]
  }

  /// Returns the deviation of a point in code values.
  func error(_ point: Point, _ codes: SampleScale) -> Double { (point.measured - point.expected) * codes.lumaScale }

  /// Returns at most this many points, including the first and the last.
  func points(maximum: Int) -> [Point] {
    guard points.count > maximum, maximum > 1 else { return points }
    return (0..<maximum).map { points[$0 * (points.count - 1) / (maximum - 1)] }
  }
}

/// The verdict on a part of a pattern.
enum Mark: String {
  case passes = "ok"
  case fails = "FAIL"
  /// Not measured, but not a fault.
  case none = "–"

  init(passes: Bool, isMeasured: Bool) { self = !passes ? .fails : isMeasured ? .passes : .none }
}
