internal import ColorScience
internal import Frames
internal import Patterns

/// Checks whether the input's HDR metadata is present, correct and consistent.
struct MetadataCheck {
  let expectation: PatternExpectation
  let expected: ExpectedMetadata
  let metadata: HDRMetadata
  /// The brightest component of a patch that was measured, in cd/m².
  let brightest: Double?

  /// Relative tolerance of light levels, besides 1 cd/m²: others count pixels differently.
  private static let slack = 0.03
  /// Absolute tolerance of the mastering display's chromaticities, and relative tolerance of its luminances.
  private static let chromaticitySlack = 0.002

  private(set) var faults: [Fault] = []
  private(set) var notes: [String] = []

  init(_ expectation: PatternExpectation, _ expected: ExpectedMetadata, _ metadata: HDRMetadata, brightest: Double?) {
    self.expectation = expectation
    self.expected = expected
    self.metadata = metadata
    self.brightest = brightest
    guard expectation.signal.kind == .hdr10 else {
      noteUnexpected()
      return
    }
    checkPresence()
    checkLight()
    checkDisplay()
    checkHarmony()
  }

  private mutating func noteUnexpected() {
    guard metadata.masteringDisplay != nil || metadata.contentLight != nil else { return }
    notes.append(
      "The input carries HDR10 metadata (metadata.unexpected), which \(expectation.signal.kind.words) does not use.")
  }

  private mutating func checkPresence() {
    guard expected.isRequired else { return }
    if metadata.masteringDisplay == nil {
      faults.add(
        "metadata.mdcv-missing",
        "No mastering display colour volume (SMPTE ST 2086): displays have to guess what the picture was made for.")
    }
    if metadata.contentLight?.maxCLL ?? 0 == 0 {
      faults.add("metadata.max-cll-missing", "No MaxCLL (CTA-861.3): displays do not know how bright the picture gets.")
    }
  }

  private mutating func checkLight() {
    guard let wanted = expected.contentLight, let light = metadata.contentLight else { return }
    let others = expected.unsampledLight ?? wanted
    check("max-cll", "MaxCLL", light.maxCLL, [wanted.maxCLL, others.maxCLL], "the brightest pixel")
    check("max-fall", "MaxFALL", light.maxFALL, [wanted.maxFALL, others.maxFALL], "the brightest frame")
  }

  /// - Parameter right: Correct values; the first is the one that headroom states.
  private mutating func check(_ name: String, _ words: String, _ value: UInt16, _ right: [UInt16], _ what: String) {
    let wanted = right[0]
    // 0 means unknown.
    guard value > 0, wanted > 0,
      right.allSatisfy({ abs(Double(value) - Double($0)) > 1 + Self.slack * Double($0) })
    else { return }
    faults.add("metadata.\(name)", "\(words) is \(value) cd/m², but \(what) of the pattern has \(wanted) cd/m².")
  }

  private mutating func checkDisplay() {
    guard let wanted = expected.masteringDisplay, let display = metadata.masteringDisplay else { return }
    let slack = Int(Self.chromaticitySlack * MasteringDisplay.chromaticityUnits)
    let isOff = zip(display.chromaticities, wanted.chromaticities).contains { abs($0 - $1) > slack }
    let ratio = display.maxNits / max(wanted.maxNits, 1e-4)
    guard isOff || abs(ratio - 1) > Self.slack else { return }
    // Others may master the same pattern on different displays.
    notes.append(
      "The mastering display is not Headroom's: \(words(display)) instead of \(words(wanted)).")
  }

  private mutating func checkHarmony() {
    var said: [String] = []
    if let display = metadata.masteringDisplay {
      if display.maxLuminance <= display.minLuminance {
        said.append("the mastering display's white is not above its black")
      }
      if display.chromaticities.contains(where: { $0 > Int(MasteringDisplay.chromaticityUnits) }) {
        said.append("the mastering display has chromaticities above 1")
      }
    }
    if let light = metadata.contentLight, light.maxCLL > 0 {
      if light.maxFALL > light.maxCLL { said.append("MaxFALL \(light.maxFALL) is above MaxCLL \(light.maxCLL)") }
      if let display = metadata.masteringDisplay, display.maxLuminance > display.minLuminance,
        Double(light.maxCLL) > display.maxNits * (1 + Self.slack) + 1
      {
        said.append("MaxCLL \(light.maxCLL) is above the mastering display's \(whole(display.maxNits)) cd/m²")
      }
      if expected.contentLight == nil, let brightest, brightest > Double(light.maxCLL) * (1 + Self.slack) + 1 {
        said.append("a patch has \(whole(brightest)) cd/m², above MaxCLL \(light.maxCLL)")
      }
    }
    guard !said.isEmpty else { return }
    faults.add("metadata.contradicting", "The metadata contradicts itself: \(said.joined(separator: "; ")).")
  }

  private func words(_ display: MasteringDisplay) -> String {
    "\(whole(display.maxNits)) cd/m², red \(Double(display.red.x) / MasteringDisplay.chromaticityUnits) "
      + "\(Double(display.red.y) / MasteringDisplay.chromaticityUnits)"
  }

  private func whole(_ nits: Double) -> String { "\(Int(nits.rounded()))" }
}

extension MasteringDisplay {
  /// Red, green, blue and white, x and y.
  fileprivate var chromaticities: [Int] { [red, green, blue, white].flatMap { [Int($0.x), Int($0.y)] } }
}

/// Compares the input's tags with the expected ones.
struct TagCheck {
  private(set) var faults: [Fault] = []
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - tags: Tags as found; missing ones are unspecified.
  ///   - explained: Names of faults from a hypothesis, which are not reported twice.
  ///   - passes: Whether the patches have the expected light under these tags.
  init(_ tags: ColorDescription, _ rendition: Rendition, explained: [String], passes: Bool) {
    let signal = rendition.expectation.signal
    func check(_ name: String, _ words: String, isUnspecified: Bool, isOther: Bool, _ found: String, _ wanted: String) {
      if isUnspecified {
        let sentence = "The \(words) are not tagged: they should be \(wanted)."
        if signal.kind.isSDR {
          notes.append(sentence)
        } else {
          faults.add("tags.\(name)", sentence + " Players treat such streams as SDR.")
        }
      } else if isOther, !explained.contains(where: { $0.hasPrefix("\(name).") }) {
        let sentence = "The \(words) are tagged \(found), but the pattern's are \(wanted)."
        if passes {
          notes.append(sentence + " The light is right all the same.")
        } else {
          faults.add("tags.\(name)", sentence)
        }
      }
    }
    check(
      "transfer", "transfer characteristics", isUnspecified: tags.transfer == .unspecified,
      isOther: rendition.reading.linearUnit == nil && rendition.reading.curve != DisplayCurve(signal.kind),
      "\(tags.transfer)", "\(signal.transfer)")
    check(
      "primaries", "colour primaries", isUnspecified: tags.primaries == .unspecified,
      isOther: rendition.reading.space != signal.space, "\(tags.primaries)", "\(signal.primaries)")
    guard let matrix = rendition.reading.matrix else { return }
    check(
      "matrix", "matrix coefficients", isUnspecified: tags.matrix == .unspecified,
      isOther: matrix != YCbCrMatrix(signal.matrix), "\(tags.matrix)", "\(signal.matrix)")
  }
}
