internal import Frames

extension PatternSketch {
  /// Ticks and captions over an area, at positions of 0 (its first column) to 1 (its last).
  mutating func marks(_ marks: [(position: Double, text: String)], above part: LayoutArea) {
    for mark in marks { self.mark(mark.text, at: mark.position, of: part, tickTop: part.top - 0.01, below: false) }
  }

  /// Ticks and captions under an area.
  mutating func marks(_ marks: [(position: Double, text: String)], below part: LayoutArea) {
    for mark in marks { self.mark(mark.text, at: mark.position, of: part, tickTop: part.bottom, below: true) }
  }

  private mutating func mark(_ text: String, at position: Double, of part: LayoutArea, tickTop: Double, below: Bool) {
    guard canvas.hasLabels else { return }
    let area = canvas.area(part)
    let rows = canvas.area(0, tickTop, 0, tickTop + 0.01)
    let width = canvas.pixels(1)
    let middle = area.x + Int((position * Double(max(area.width - 1, 0))).rounded())
    let tick = PictureArea(x: middle - width / 2, y: rows.y, width: width, height: rows.height)
    drawing.elements.append(.init(tick, .flat(ink)))
    let center = part.left + position * (part.right - part.left)
    let top = below ? tickTop + 0.013 : tickTop - 0.037
    label(text, LayoutArea(center - 0.045, top, center + 0.045, top + 0.034))
  }
}

extension LayoutArea {
  /// A strip across the middle, for a caption of default size.
  var middle: LayoutArea {
    let height = min(0.04, bottom - top)
    let center = (top + bottom) / 2
    return LayoutArea(left, center - height / 2, right, center + height / 2)
  }
}
