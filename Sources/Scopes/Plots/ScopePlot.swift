internal import Frames

/// A scope in the picture: its static background, and the trace of each frame's counts.
protocol ScopePlot: Sendable {
  /// Draws the graticule and labels.
  func drawGround(on canvas: inout ScopeCanvas)

  /// Draws the counts, if there are any.
  @unsafe func paint(_ counts: ScopeCounts, on target: TraceTarget)
}

extension ScopeCanvas {
  /// Writes the title and subtitle of a scope.
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
