internal import ColorScience
internal import Frames
internal import HTMLReports
internal import Patterns

extension Verification {
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
}

extension Verification {
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

extension PatchResult {
  var mark: Mark { Mark(passes: passes, isMeasured: measured != nil) }
}

extension DetailResult {
  var mark: Mark { Mark(passes: passes, isMeasured: shift != nil || contrast != nil) }
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
  func points(most: Int) -> [Point] {
    guard points.count > most, most > 1 else { return points }
    return (0..<most).map { points[$0 * (points.count - 1) / (most - 1)] }
  }
}
