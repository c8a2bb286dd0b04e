internal import Frames
internal import Rendering

/// Refines an affine map to align two pictures: Gauss-Newton with robust weights.
///
/// The gradient is taken from the flash picture, which has less noise.
///
/// Source: Baker and Matthews (2004), "Lucas-Kanade 20 years on: a unifying framework", the compositional algorithm.
struct AffineRefinement {
  let flash: Plane
  let ambient: Plane
  /// Pixels of the picture per pixel of the planes.
  let scale: Double
  /// Size of the full picture.
  let size: Size
  let pool: WorkerPool

  /// Differences far above this are outliers: changed light, or moving objects.
  private static var tolerance: Float { 0.6 }
  /// Maximum movement of a corner, as a fraction of the diagonal; beyond it, registration failed.
  private static let farthest = 0.12

  init(_ flash: LocalContrast, _ ambient: LocalContrast, of size: Size, pool: WorkerPool) {
    (self.flash, self.ambient, self.scale) = (flash.plane, ambient.plane, flash.scale)
    (self.size, self.pool) = (size, pool)
  }

  private var radius: Double {
    let (width, height) = (Double(size.width), Double(size.height))
    return (width * width + height * height).squareRoot() / 2
  }

  /// Returns the map after at most `steps` steps.
  func callAsFunction(_ start: AffineMap, steps: Int) -> AffineMap {
    var (map, strength) = (start, Float(1))
    for _ in 0..<steps {
      let warped = warped(by: map)
      let bands = pool.results(of: flash.size.height) { [self, strength] rows in totals(rows, warped, strength) }
      let sums = bands.reduce(AffineTotals(), +)
      guard let step = sums.step else { return start }
      strength = sums.strength
      let next = map.after(step.map { $0 * scale }, radius: radius)
      // Noise can drive the map anywhere.
      guard next.distance(to: .identity, over: size) < Self.farthest * 2 * radius else { return start }
      let change = next.distance(to: map, over: size)
      map = next
      if change < 0.004 * scale { break }
    }
    return map
  }

  /// Returns the ambient picture, resampled to the flash picture's pixels.
  func warped(by map: AffineMap) -> Plane {
    ambient.resampled(PixelMap(camera: map), scale: scale, of: size, pool: pool)
  }

  /// Returns sums over rows; the ambient picture shows `strength` of the contrast of the flash picture.
  private func totals(_ rows: Range<Int>, _ warped: Plane, _ strength: Float) -> AffineTotals {
    var totals = AffineTotals()
    let (width, height) = (flash.size.width, flash.size.height)
    let unit = scale / radius
    let left = Float(0.5 * unit - Double(size.width) / 2 / radius)
    for y in max(rows.lowerBound, 1)..<max(min(rows.upperBound, height - 1), max(rows.lowerBound, 1)) {
      let (a, b, c) = unsafe (flash.row(y - 1), flash.row(y), flash.row(y + 1))
      let e = unsafe warped.row(y)
      var sums = AffineTotals.Row()
      for x in 1..<max(1, width - 1) {
        let difference = unsafe e[x] - strength * b[x]
        let right = unsafe (0.5 * strength) * (b[x + 1] - b[x - 1])
        let down = unsafe (0.5 * strength) * (c[x] - a[x])
        // NaN: saturated or outside.
        let all = difference + right + down
        guard all == all else { continue }
        let ratio = difference * (1 / Self.tolerance)
        let weight = 1 / ((1 + ratio * ratio) * (1 + ratio * ratio))
        unsafe sums.add(
          right: right, down: down, u: left + Float(x) * Float(unit), difference: difference, weight: weight,
          flash: b[x], ambient: e[x])
      }
      totals.add(sums, v: (Double(y) + 0.5) * unit - Double(size.height) / 2 / radius)
    }
    return totals
  }
}
