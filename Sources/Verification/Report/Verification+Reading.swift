internal import ColorScience
internal import Frames
internal import HTMLReports
internal import Patterns

extension Verification {
  /// How it ended.
  enum Verdict: Equatable {
    case passed
    case notPassed
    /// The pattern is not in the input.
    case notFound
  }

  var verdict: Verdict { placement == nil ? .notFound : passes ? .passed : .notPassed }

  /// Samples are linear light, which is measured as if it had the codes of the pattern.
  private var isLinear: Bool { input.layout.samples == .half }

  /// The codes of signals: those of the input's depth and range.
  var codes: SampleScale {
    isLinear
      ? SampleScale(bitDepth: canvas.signal.bitDepth, range: .full)
      : SampleScale(bitDepth: min(max(input.layout.bitDepth, 8), 16), range: input.color.range)
  }

  /// Measured light has the primaries that the input is tagged with.
  func color(_ nits: SIMD3<Double>) -> DisplayColor {
    DisplayColor(nits: nits, in: (isLinear ? nil : input.color.primaries.space) ?? canvas.signal.space)
  }

  /// Luminance in cd/m² of a grey signal of the input.
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

  /// Patches by their group, in the order in which groups first come.
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
  /// Numbers of patches by verdict: the same in text, table, page and JSON.
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
  /// There is something to say of it.
  var isMeasured: Bool { !points.isEmpty }

  var mark: Mark { Mark(passes: passes, isMeasured: isMeasured) }

  /// Mean and largest ΔE ITP, and the levels that were seen.
  var figures: [String] {
    isMeasured
      ? [Figures.fixed(meanDeltaE, 2), Figures.fixed(worstDeltaE, 2), "\(levels)"]
      : [Figures.none, Figures.none, Figures.none]
  }

  /// How far a point is off, in code values.
  func error(_ point: Point, _ codes: SampleScale) -> Double { (point.measured - point.expected) * codes.lumaScale }

  /// At most this many of its points, the first and the last among them.
  func points(most: Int) -> [Point] {
    guard points.count > most, most > 1 else { return points }
    return (0..<most).map { points[$0 * (points.count - 1) / (most - 1)] }
  }
}
