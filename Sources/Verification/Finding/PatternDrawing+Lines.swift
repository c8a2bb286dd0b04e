internal import Frames
internal import Patterns

extension PatternDrawing {
  /// The signals of a column, without writing.
  func column(_ x: Int) -> [SIMD3<Double>] {
    var signals = [SIMD3<Double>](repeating: background, count: size.height)
    for element in elements where x >= element.area.x && x < element.area.maxX {
      let area = element.area
      let rows = max(area.y, 0)..<max(min(area.maxY, size.height), max(area.y, 0))
      switch element.content {
      case .flat(let signal): for y in rows { signals[y] = signal }
      case .columns(let signal):
        let value = signal(x - area.x)
        for y in rows { signals[y] = value }
      case .rows(let signal): for y in rows { signals[y] = signal(y - area.y) }
      case .pixels(let signal): for y in rows { signals[y] = signal(x - area.x, y - area.y) }
      }
    }
    return signals
  }

  /// The signals of a row, without writing.
  func row(_ y: Int) -> [SIMD3<Double>] {
    var signals = [SIMD3<Double>](repeating: background, count: size.width)
    for element in elements where y >= element.area.y && y < element.area.maxY {
      let area = element.area
      let columns = max(area.x, 0)..<max(min(area.maxX, size.width), max(area.x, 0))
      switch element.content {
      case .flat(let signal): for x in columns { signals[x] = signal }
      case .columns(let signal): for x in columns { signals[x] = signal(x - area.x) }
      case .rows(let signal):
        let value = signal(y - area.y)
        for x in columns { signals[x] = value }
      case .pixels(let signal): for x in columns { signals[x] = signal(x - area.x, y - area.y) }
      }
    }
    return signals
  }
}
