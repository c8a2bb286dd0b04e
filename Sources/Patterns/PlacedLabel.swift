internal import Frames
internal import Lettering

/// The rasterized text of a label.
struct PlacedLabel: Sendable {
  /// Minimum height of legible text in pixels; smaller text is omitted.
  static let minimumHeight = 7.0

  /// Size of the coverage; may extend beyond the picture.
  let area: PictureArea
  private let coverage: Coverage
  private let signal: SIMD3<Double>

  /// Rasterizes the text as large as its area allows, in whole pixels; nil if it would be illegible.
  init?(_ label: PatternDrawing.Label, _ typeface: Typeface) {
    let bounds = label.area
    let natural = typeface.width(of: label.text, height: 1)
    guard natural > 0, !bounds.isEmpty else { return nil }
    let tallest = min(Double(bounds.height), Double(bounds.width) / natural, Typeface.heights.upperBound)
    let height = tallest.rounded(.down)
    guard height >= Self.minimumHeight else { return nil }
    coverage = typeface.line(label.text, height: height)
    signal = label.signal
    let room = bounds.width - coverage.width
    let indent =
      switch label.alignment {
      case .leading: 0
      case .center: room / 2
      case .trailing: room
      }
    area = PictureArea(
      x: bounds.x + indent, y: bounds.y + (bounds.height - coverage.height) / 2, width: coverage.width,
      height: coverage.height)
  }

  /// Blends the text over signals, by coverage.
  func paint(row y: Int, into signals: inout [SIMD3<Double>]) {
    guard y >= area.y, y < area.maxY else { return }
    let first = min(max(area.x, 0), signals.count)
    for x in first..<max(min(area.maxX, signals.count), first) {
      let value = coverage.values[(y - area.y) * coverage.width + x - area.x]
      guard value > 0 else { continue }
      let share = Double(value) / 255
      signals[x] = signals[x] * (1 - share) + signal * share
    }
  }
}
