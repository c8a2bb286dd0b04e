internal import Frames

/// Maps pixels of the flash picture to the ambient picture: local displacement first, then the camera's.
struct PixelMap: Sendable {
  /// Camera movement.
  var camera = AffineMap.identity
  /// Different displacement of nearer or farther objects; nil: none.
  var parallax: DisplacementGrid?

  /// Whether the map moves nothing.
  var isIdentity: Bool { camera == .identity && parallax == nil }

  /// Returns displacements of the pixels of row `y` of a reduced picture, in its pixels, to the right and down.
  /// - Parameters:
  ///   - scale: Pixels of the picture per pixel of the reduced one.
  ///   - size: Size of the full picture.
  func displacements(
    row y: Int, scale: Double, of size: Size, into right: UnsafeMutableBufferPointer<Float>,
    _ down: UnsafeMutableBufferPointer<Float>
  ) {
    let map = camera.pixels(scale: scale, of: size)
    let line = Double(y)
    // Differences from the identity keep precision that absolute positions would lose.
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

/// Displacements at the centres of tiles that cover the picture, interpolated between them.
struct DisplacementGrid: Sendable {
  /// Columns of tiles, at least 2.
  let columns: Int
  /// Rows of tiles, at least 2.
  let rows: Int
  /// Width and height of the picture in tiles; the last tile may be partial.
  let span: SIMD2<Double>
  /// Pixels of the picture, to the right and down, row by row.
  var values: [SIMD2<Float>]

  /// A row interpolated between two rows of centres.
  struct Line: Sendable {
    fileprivate let values: [SIMD2<Float>]
    fileprivate let span: Float

    /// Returns the displacement at a position from 0, the left edge, to 1.
    @inline(__always)
    func value(at place: Float) -> SIMD2<Float> {
      let position = min(max(place * span - 0.5, 0), Float(values.count - 1))
      let first = min(Int(position), values.count - 2)
      let part = position - Float(first)
      return values[first] * (1 - part) + values[first + 1] * part
    }
  }

  /// Returns the displacements at a height from 0, the top edge, to 1.
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
