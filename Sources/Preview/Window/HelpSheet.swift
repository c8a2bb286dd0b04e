internal import Lettering

/// The layout of the keys in help.
struct HelpSheet {
  struct Entry {
    var keys: String
    var help: String
    var x: Int
    var y: Int
  }

  let columns: Int
  /// Line height in pixels.
  let height: Double
  /// Distance from the keys to their descriptions.
  let keyWidth: Int
  let width: Int
  let total: Int
  private(set) var entries: [Entry] = []

  /// - Parameter pitch: Returns the line pitch for a line height.
  init(columns: Int, height: Double, typeface: Typeface, pitch: (Double) -> Int) {
    (self.columns, self.height) = (columns, height)
    func width(_ text: String) -> Double { typeface.width(of: text, height: height) }
    let texts = PreviewKey.all.map {
      (keys: $0.presses.map(\.label).joined(separator: "  "), help: $0.help)
    }
    keyWidth = Int(((texts.map { width($0.keys) }.max() ?? 0) + height).rounded(.up))
    let helpWidth = Int((texts.map { width($0.help) }.max() ?? 0).rounded(.up))
    let gap = Int((2 * height).rounded())
    let rows = (texts.count + columns - 1) / columns
    for (index, text) in texts.enumerated() {
      let x = index / rows * (keyWidth + helpWidth + gap)
      entries.append(Entry(keys: text.keys, help: text.help, x: x, y: index % rows * pitch(height)))
    }
    self.width = columns * (keyWidth + helpWidth + gap) - gap
    total = (rows - 1) * pitch(height) + Int(height.rounded(.up))
  }

  /// Returns the factor by which it could grow in a window.
  func fit(in place: OverlayPlace) -> Double {
    min(
      Double(place.textWidth) / Double(max(width, 1)),
      Double(place.textHeight) / Double(max(total, 1)))
  }
}
