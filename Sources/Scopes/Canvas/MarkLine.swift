/// A reference luminance with its labels.
struct MarkLine: Hashable {
  /// Luminance in cd/m².
  let nits: Double
  /// The long label, and the one for tight spaces.
  let words: String
  let figure: String
  let style: LineStyle
  let color: ScopeColor
}

extension ScopeMarks {
  /// The lines in ascending order; equal luminances share a line, invalid ones are omitted.
  var lines: [MarkLine] {
    var lines: [MarkLine] = []
    func add(
      _ nits: Double, _ name: String, _ style: LineStyle, ratio: String? = nil, color: ScopeColor = ScopeStyle.mark
    ) {
      guard nits.isFinite, nits > 0, nits <= 10_000 else { return }
      let number = ScopeText.number(nits, decimals: nits < 100 ? 1 : 0)
      let named = name.isEmpty ? number : "\(name) \(number)"
      let words = ratio.map { "\(named), \($0)" } ?? named
      lines.append(MarkLine(nits: nits, words: words, figure: ratio ?? number, style: style, color: color))
    }
    if sdrWhite == referenceWhite {
      add(sdrWhite, "SDR, HDR white", .solid)
    } else {
      add(sdrWhite, "SDR white", .dashed)
      add(referenceWhite, "HDR white", .solid)
    }
    if ![sdrWhite, referenceWhite, peak].contains(Self.thousand) {
      add(Self.thousand, "", .dotted)
    }
    if let peak, let headroom, ![sdrWhite, referenceWhite].contains(peak) {
      add(peak, "peak", .solid, ratio: ScopeText.ratio(headroom), color: ScopeStyle.peak)
    }
    return lines.sorted { $0.nits < $1.nits }
  }
}
