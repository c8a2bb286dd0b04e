/// The meaning of a filter's colours.
struct Legend: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    /// nil: grey of the picture.
    let color: SRGBColor?
    let text: String
  }

  let entries: [Entry]
}

extension Legend {
  /// The zones of false colour, brightest first.
  init(_ zones: [LightZone]) {
    entries = zones.indices.reversed().map { index in
      let (zone, next) = (zones[index], index + 1 < zones.count ? zones[index + 1].start : nil)
      let range =
        switch (zone.start, next) {
        case (0, let next?): "to \(next.words)"
        case (let start, let next?): "\(start.words) to \(next.words)"
        case (let start, nil): "above \(start.words)"
        }
      return Entry(color: zone.color, text: "\(zone.name): \(range) cd/m²")
    }
  }

  init(_ fates: [ClipWarning.Fate?]) {
    var seen: Set<ClipWarning.Fate> = []
    entries = fates.compactMap(\.self).filter { seen.insert($0).inserted }.map { Entry(color: $0.color, text: $0.name) }
  }
}

extension Double {
  /// Formats whole numbers without decimals.
  fileprivate var words: String { self == rounded() && magnitude < 1e6 ? "\(Int(self))" : "\(self)" }
}
