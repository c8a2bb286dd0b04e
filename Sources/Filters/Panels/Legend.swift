internal import Frames
internal import Lettering
internal import Scopes

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

/// A legend as a picture: a swatch and a line of text for each entry, on a dark background.
struct LegendPicture {
  let frame: CodedFrame

  /// Positions in the picture, in pixels.
  private struct Layout {
    let swatch: Int
    let gap: Int
    let size: Size

    init(_ legend: Legend, _ text: ScopeText, lineHeight: Int) {
      (swatch, gap) = (lineHeight * 3 / 2, lineHeight / 2)
      let width = legend.entries.map { text.width($0.text, points: LegendPicture.letters(lineHeight)) }.max() ?? 0
      size = Size(
        width: (3 * gap + swatch + Int(width.rounded(.up)) + 1) & ~1,
        height: (legend.entries.count * lineHeight + 2 * gap + 1) & ~1)
    }
  }

  private static func letters(_ lineHeight: Int) -> Double { Double(lineHeight) * 0.8 }

  /// Returns the size of the picture without drawing it.
  static func size(_ legend: Legend, typeface: Typeface, lineHeight: Int) -> Size {
    Layout(legend, ScopeText(typeface: typeface, scale: 1), lineHeight: lineHeight).size
  }

  /// - Parameter lineHeight: Line spacing in pixels.
  init(_ legend: Legend, typeface: Typeface, lineHeight: Int) {
    let text = ScopeText(typeface: typeface, scale: 1)
    let layout = Layout(legend, text, lineHeight: lineHeight)
    let (swatch, gap) = (layout.swatch, layout.gap)
    var canvas = ScopeCanvas(size: layout.size, text: text)
    for (index, entry) in legend.entries.enumerated() {
      let top = gap + index * lineHeight
      let area = PictureArea(x: gap, y: top + lineHeight / 8, width: swatch, height: lineHeight * 3 / 4)
      Self.fill(entry.color, area, on: &canvas)
      canvas.write(
        entry.text, x: Double(2 * gap + swatch), y: Double(top) + Double(lineHeight) / 2,
        points: Self.letters(lineHeight), color: ScopeStyle.title)
    }
    frame = canvas.frame
  }

  /// Fills an area; without a colour, with a ramp from black to white.
  private static func fill(_ color: SRGBColor?, _ area: PictureArea, on canvas: inout ScopeCanvas) {
    if let color {
      canvas.fill(area, ScopeColor(codes: SIMD3(color.red, color.green, color.blue)))
      return
    }
    for x in area.x..<area.maxX {
      let gray = UInt8(255 * (x - area.x) / max(area.width - 1, 1))
      let column = PictureArea(x: x, y: area.y, width: 1, height: area.height)
      canvas.fill(column, ScopeColor(codes: SIMD3(repeating: gray)))
    }
  }
}
