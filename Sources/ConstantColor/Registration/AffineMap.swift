package import Frames
internal import Glibc

/// Maps pixels of the flash picture to positions in the ambient picture: an affine map of positions in pixels from the
/// centre of the picture, to the right and down.
package struct AffineMap: Sendable, Hashable {
  /// Linear part, row by row.
  package var xx = 1.0, xy = 0.0, yx = 0.0, yy = 1.0
  /// Displacement of the centre.
  package var x = 0.0, y = 0.0

  /// Creates a map; the identity by default.
  package init(
    xx: Double = 1, xy: Double = 0, yx: Double = 0, yy: Double = 1, x: Double = 0, y: Double = 0
  ) {
    (self.xx, self.xy, self.yx, self.yy) = (xx, xy, yx, yy)
    (self.x, self.y) = (x, y)
  }

  package static let identity = AffineMap()

  /// Returns a rotation in radians (clockwise, as y points down) and a displacement.
  package static func rotation(_ angle: Double, x: Double, y: Double) -> AffineMap {
    AffineMap(xx: cos(angle), xy: -sin(angle), yx: sin(angle), yy: cos(angle), x: x, y: y)
  }

  /// Maps a position.
  package func callAsFunction(_ place: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(xx * place.x + xy * place.y + x, yx * place.x + yy * place.y + y)
  }

  /// Returns this map after a small one: identity plus `step`, whose first three values move to the right (constant,
  /// and per `radius` of x and of y), the others down.
  package func after(_ step: [Double], radius: Double) -> AffineMap {
    let (a, b, c, d) = (1 + step[1] / radius, step[2] / radius, step[4] / radius, 1 + step[5] / radius)
    let center = self(SIMD2(step[0], step[3]))
    return AffineMap(
      xx: xx * a + xy * c, xy: xx * b + xy * d, yx: yx * a + yy * c, yy: yx * b + yy * d, x: center.x, y: center.y)
  }

  /// Returns the maximum distance in pixels between the corners of a picture under two maps.
  package func distance(to other: AffineMap, over size: Size) -> Double {
    let (halfWidth, halfHeight) = (Double(size.width) / 2, Double(size.height) / 2)
    return [SIMD2(-1.0, -1.0), SIMD2(1, -1), SIMD2(-1, 1), SIMD2(1, 1)].map { corner in
      let place = corner * SIMD2(halfWidth, halfHeight)
      let difference = self(place) - other(place)
      return (difference * difference).sum().squareRoot()
    }.max() ?? 0
  }

  /// Returns the map between reduced pictures, in their pixel coordinates.
  /// - Parameters:
  ///   - scale: Pixels of the picture per pixel of the reduced one.
  ///   - size: Size of the full picture.
  package func pixels(scale: Double, of size: Size) -> AffineMap {
    let (halfWidth, halfHeight) = (Double(size.width) / 2, Double(size.height) / 2)
    let first = self(SIMD2(0.5 * scale - halfWidth, 0.5 * scale - halfHeight))
    var map = self
    map.x = (first.x + halfWidth) / scale - 0.5
    map.y = (first.y + halfHeight) / scale - 0.5
    return map
  }

  /// Displacement, rotation and magnification.
  package var movement: Movement {
    Movement(
      x: x, y: y, rotation: atan2(yx - xy, xx + yy) * 180 / .pi, scale: abs(xx * yy - xy * yx).squareRoot())
  }
}

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
