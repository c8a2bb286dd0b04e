internal import Frames

/// One scope of the picture: what of it never changes, and what each frame's counts add.
protocol ScopePlot: Sendable {
  /// Draws graticule and labels.
  func drawGround(on canvas: inout ScopeCanvas)

  /// Draws what was counted; nothing where that is empty.
  @unsafe func paint(_ counts: ScopeCounts, on target: TraceTarget)
}

extension ScopeCanvas {
  /// Writes the title of a scope, and what it shows.
  mutating func title(_ name: String, _ words: String, in area: PictureArea) {
    let (x, y) = (
      Double(area.x) + ScopeStyle.titleIndent * scale, Double(area.y) + ScopeStyle.titleMiddle * scale
    )
    write(name, x: x, y: y, points: ScopeStyle.titleHeight, color: ScopeStyle.title)
    let width = text.width(name, points: ScopeStyle.titleHeight)
    let left = x + width + 10 * scale
    guard left + text.width(words) <= Double(area.maxX) else { return }
    write(words, x: left, y: y)
  }
}
