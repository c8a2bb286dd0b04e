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
}

extension ColorPrimaries {
  /// The common name of a gamut.
  var words: String {
    switch self {
    case .bt709: "BT.709"
    case .bt2020: "BT.2020"
    case .dciP3, .displayP3: "P3"
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
