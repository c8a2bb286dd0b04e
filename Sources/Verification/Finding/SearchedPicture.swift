internal import Frames

/// A frame in the forms used for the search.
struct SearchedPicture {
  let signal: FrameSignal
  /// The downscaled picture, largest first.
  let levels: [ClassedGrid]

  init(_ frame: CodedFrame) {
    signal = FrameSignal(frame)
    levels = ClassedGrid.pyramid(of: signal.grid())
  }

  var size: Size { signal.frame.size }
}

extension ReferencePattern {
  /// Returns how well a picture shows this pattern at a placement.
  /// - Parameter level: Level of the picture; the pattern level closest in scale is used.
  func agreement(_ placement: Placement, in picture: SearchedPicture, level: Int) -> Agreement {
    let seen = picture.levels[min(level, picture.levels.count - 1)]
    let scale = (placement.scale.x * placement.scale.y).squareRoot()
    let block = Double(seen.grid.block) / scale
    let nearest = levels.min { a, b in
      max(Double(a.grid.block) / block, block / Double(a.grid.block))
        < max(Double(b.grid.block) / block, block / Double(b.grid.block))
    }
    return Agreement(placement, of: nearest ?? levels[0], in: seen)
  }
}
