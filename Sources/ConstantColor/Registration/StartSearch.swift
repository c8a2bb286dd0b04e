internal import Frames
internal import Rendering

/// Tries all shifts and rotations of a handheld camera between two pictures, on small copies.
struct StartSearch {
  /// The copies have at most this many columns and rows.
  static let side = 130
  /// Maximum shift, as a fraction of the longer side.
  private static let reach = 0.045
  /// Tested rotations in degrees.
  private static let rotations = stride(from: -2.5, through: 2.5, by: 0.5)

  /// A map and the resulting correlation of the pictures.
  struct Candidate: Sendable {
    var map: AffineMap
    var correlation: Double
  }

  private let refinement: AffineRefinement
  private let flash: Plane
  private let shifts: ClosedRange<Int>

  /// Creates a search on small copies.
  init(_ refinement: AffineRefinement) {
    self.refinement = refinement
    flash = refinement.flash
    let longer = max(flash.size.width, flash.size.height)
    let shift = Int((Double(longer) * Self.reach).rounded(.up))
    shifts = -shift...shift
  }

  /// Returns the best maps, best first, without neighbours of a better one.
  func candidates(_ count: Int) -> [Candidate] {
    let rotations = Array(Self.rotations)
    let found = refinement.pool.results(of: rotations.count * WorkerPool.bandHeight) { [self] rows in
      best(rotation: rotations[rows.lowerBound / WorkerPool.bandHeight])
    }
    var sorted = found.joined().sorted { $0.correlation > $1.correlation }
    var result: [Candidate] = []
    while result.count < count, let best = sorted.first {
      result.append(best)
      sorted.removeAll { $0.map.distance(to: best.map, over: refinement.size) < 3 * refinement.scale }
    }
    return result
  }

  private func best(rotation: Double) -> [Candidate] {
    let turned = AffineMap.rotation(rotation * .pi / 180, x: 0, y: 0)
    var result: [Candidate] = []
    let warped = Plane(size: flash.size)
    refinement.ambient.resample(
      0..<flash.size.height, PixelMap(camera: turned), scale: refinement.scale, of: refinement.size, into: warped)
    for down in shifts {
      for right in shifts {
        let shift = SIMD2(Double(right), Double(down)) * refinement.scale
        // The rotated picture is shifted, so the shift is rotated too.
        var map = turned
        (map.x, map.y) = (turned.xx * shift.x + turned.xy * shift.y, turned.yx * shift.x + turned.yy * shift.y)
        result.append(Candidate(map: map, correlation: correlation(warped, right, down)))
      }
    }
    return Array(result.sorted { $0.correlation > $1.correlation }.prefix(6))
  }

  /// Returns the correlation of the flash picture with another one, read at a shift.
  private func correlation(_ other: Plane, _ right: Int, _ down: Int) -> Double {
    let (width, height) = (flash.size.width, flash.size.height)
    guard abs(right) < width, abs(down) < height else { return -1 }
    let (columns, rows) = (max(0, -right)..<min(width, width - right), max(0, -down)..<min(height, height - down))
    var (product, own, others) = (Float(0), Float(0), Float(0))
    for y in rows {
      let (first, second) = unsafe (flash.row(y), other.row(y + down))
      for x in columns {
        let (a, b) = unsafe (first[x], second[x + right])
        guard a * b == a * b else { continue }
        product += a * b
        own += a * a
        others += b * b
      }
    }
    return own * others > 0 ? Double(product / (own * others).squareRoot()) : -1
  }
}
