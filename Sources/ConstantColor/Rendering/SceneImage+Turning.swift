public import Frames
public import Rendering

extension SceneImage {
  /// Returns the picture turned by an orientation, or `self` if that changes nothing.
  public func turned(by orientation: Orientation, pool: WorkerPool) -> SceneImage {
    if orientation == .identity { return self }
    let result = SceneImage(size: orientation.rotated(size), description: description)
    pool.forRows(of: result.size.height) { [size] rows in
      // Column by column, so that a cache line of the source is used for several rows.
      for channel in 0..<3 {
        for x in 0..<result.size.width {
          for y in rows {
            let place = orientation.source(x: x, y: y, in: size)
            unsafe result.row(channel, y)[x] = self.row(channel, place.y)[place.x]
          }
        }
      }
    }
    return result
  }
}

extension FlatField {
  /// Returns the flat field turned by an orientation.
  public func turned(by orientation: Orientation) -> FlatField {
    let size = Size(width: columns, height: rows)
    let turned = orientation.rotated(size)
    let values = (0..<turned.width * turned.height).map { index in
      let place = orientation.source(x: index % turned.width, y: index / turned.width, in: size)
      return light[place.y * columns + place.x]
    }
    return FlatField(columns: turned.width, rows: turned.height, light: values)
  }
}
