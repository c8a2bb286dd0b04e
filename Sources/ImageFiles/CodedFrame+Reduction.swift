package import Frames

extension CodedFrame {
  /// The picture reduced to at most `columns` columns by averaging square blocks of pixels.
  /// - Parameter columns: At least 1.
  package func reduced(toColumns columns: Int) -> CodedFrame {
    let step = (self.size.width + columns - 1) / columns
    if step == 1 { return self }
    let size = Size(width: max(self.size.width / step, 1), height: max(self.size.height / step, 1))
    let result = CodedFrame(size: size, layout: layout, color: color)
    let rows = min(step, self.size.height)
    for plane in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width {
          var sum = 0
          for row in 0..<rows {
            for column in 0..<step { sum += sample(plane: plane, x: step * x + column, y: rows * y + row) }
          }
          result.setSample(sum / (rows * step), plane: plane, x: x, y: y)
        }
      }
    }
    return result
  }
}
