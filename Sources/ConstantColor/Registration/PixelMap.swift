internal import Frames

/// Where the pixels of the flash picture lie in the ambient picture: first what is local moves, then the camera.
struct PixelMap: Sendable {
  /// What the camera moved.
  var camera = AffineMap.identity
  /// What moved differently because it is nearer or farther; nil: nothing.
  var parallax: DisplacementGrid?

  /// Whether nothing moved.
  var isIdentity: Bool { camera == .identity && parallax == nil }

  /// Displacements of the pixels of row `y` of a reduced picture, in its pixels, to the right and down.
  /// - Parameters:
  ///   - scale: Pixels of the picture for each of the reduced one.
  ///   - size: The picture.
  func displacements(
    row y: Int, scale: Double, of size: Size, into right: UnsafeMutableBufferPointer<Float>,
    _ down: UnsafeMutableBufferPointer<Float>
  ) {
    let map = camera.pixels(scale: scale, of: size)
    let line = Double(y)
    // Differences from the identity: places themselves would lose digits.
    let (startX, startY) = (map.xy * line + map.x, (map.yy - 1) * line + map.y)
    for x in 0..<right.count {
      unsafe right[x] = Float(startX + (map.xx - 1) * Double(x))
      unsafe down[x] = Float(startY + map.yx * Double(x))
    }
    guard let parallax else { return }
    let shared = parallax.line(at: (line + 0.5) * scale / Double(size.height))
    for x in 0..<right.count {
      let local = shared.value(at: Float((Double(x) + 0.5) * scale / Double(size.width))) / Float(scale)
      unsafe right[x] += Float(map.xx) * local.x + Float(map.xy) * local.y
      unsafe down[x] += Float(map.yx) * local.x + Float(map.yy) * local.y
    }
  }
}

/// Displacements at the centres of tiles that cover the picture; between them they are interpolated.
struct DisplacementGrid: Sendable {
  /// Columns of tiles, at least 2.
  let columns: Int
  /// Rows of tiles, at least 2.
  let rows: Int
  /// Tiles that the width and the height of the picture would hold; the last one need not be whole.
  let span: SIMD2<Double>
  /// Pixels of the picture, to the right and down, row by row.
  var values: [SIMD2<Float>]

  /// A row between two rows of centres.
  struct Line: Sendable {
    fileprivate let values: [SIMD2<Float>]
    fileprivate let span: Float

    /// The displacement at a place from 0, the left edge, to 1.
    @inline(__always)
    func value(at place: Float) -> SIMD2<Float> {
      let position = min(max(place * span - 0.5, 0), Float(values.count - 1))
      let first = min(Int(position), values.count - 2)
      let part = position - Float(first)
      return values[first] * (1 - part) + values[first + 1] * part
    }
  }

  /// The displacements at a height from 0, the top edge, to 1.
  func line(at place: Double) -> Line {
    let position = min(max(place * span.y - 0.5, 0), Double(rows - 1))
    let first = min(Int(position), rows - 2)
    let part = Float(position - Double(first))
    return Line(
      values: (0..<columns).map { column in
        values[first * columns + column] * (1 - part) + values[(first + 1) * columns + column] * part
      }, span: Float(span.x))
  }
}
