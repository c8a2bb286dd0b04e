internal import Frames
internal import Rendering

/// The movement of the camera between two pictures.
struct CameraMovement {
  /// Maps pixels of the flash picture to the ambient picture; the identity if no movement is detected.
  private(set) var map = AffineMap.identity

  private let pyramid: PicturePyramid
  private let size: Size
  private let pool: WorkerPool

  /// Minimum improvement of the agreement over no movement, in standard errors.
  private static let minimumGain = 6.0
  /// Smaller movements, in pixels of the working size, are ignored: compensation would only blur.
  private static let minimumMovement = 0.06

  /// Searches at the smallest size, and refines the result at successively larger ones.
  init(_ pyramid: PicturePyramid, of size: Size, pool: WorkerPool) {
    (self.pyramid, self.size, self.pool) = (pyramid, size, pool)
    let found = best()
    if isReliable(found) { map = found }
  }

  private func refinement(_ level: Int) -> AffineRefinement {
    AffineRefinement(pyramid.flash[level], pyramid.ambient[level], of: size, pool: pool)
  }

  private func best() -> AffineMap {
    let smallest = pyramid.flash.count - 1
    let search = StartSearch(refinement(smallest))
    var maps = [AffineMap.identity] + search.candidates(3).map(\.map)
    let second = max(0, smallest - 1)
    maps = maps.map { refinement(second)(refinement(smallest)($0, steps: 12), steps: 12) }
    var map = best(of: maps, refinement(second))
    for level in stride(from: second - 1, through: 0, by: -1) { map = refinement(level)(map, steps: 10) }
    return map
  }

  private func best(of maps: [AffineMap], _ refinement: AffineRefinement) -> AffineMap {
    let agreements = maps.map { map in
      TileAgreement(refinement.flash, refinement.warped(by: map), tile: 16).correlations.compactMap { $0 }
    }
    let means = agreements.map { $0.reduce(0, +) / Double(max(1, $0.count)) }
    let best = means.indices.max { means[$0] < means[$1] } ?? 0
    return maps[best]
  }

  private func isReliable(_ found: AffineMap) -> Bool {
    let working = refinement(0)
    guard found.distance(to: .identity, over: size) > Self.minimumMovement * working.scale else { return false }
    return pyramid.flash.indices.contains { level in
      let refinement = refinement(level)
      let tile = max(8, refinement.flash.size.width / 16)
      let moved = TileAgreement(refinement.flash, refinement.warped(by: found), tile: tile)
      let unmoved = TileAgreement(refinement.flash, refinement.warped(by: .identity), tile: tile)
      return moved.gain(over: unmoved) > Self.minimumGain
    }
  }
}

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
    var correlation = Correlation()
    for y in rows {
      let (first, second) = unsafe (flash.row(y), other.row(y + down))
      for x in columns { unsafe correlation.add(first[x], second[x + right]) }
    }
    return correlation.value.map { Double($0) } ?? -1
  }
}

/// The agreement of two pictures per tile: correlations of their local contrast.
struct TileAgreement: Sendable {
  /// Correlation of each tile; nil where the pictures are inconclusive.
  let correlations: [Double?]

  /// Compares two aligned pictures.
  init(_ first: Plane, _ second: Plane, tile: Int) {
    var correlations: [Double?] = []
    for y in stride(from: 0, to: first.size.height, by: tile) {
      for x in stride(from: 0, to: first.size.width, by: tile) {
        correlations.append(
          Self.correlation(
            first, second, x..<min(x + tile, first.size.width), y..<min(y + tile, first.size.height)))
      }
    }
    self.correlations = correlations
  }

  private static func correlation(_ first: Plane, _ second: Plane, _ columns: Range<Int>, _ rows: Range<Int>) -> Double?
  {
    var correlation = Correlation()
    for y in rows {
      let (a, b) = unsafe (first.row(y), second.row(y))
      for x in columns { unsafe correlation.add(a[x], b[x]) }
    }
    guard 2 * correlation.count > columns.count * rows.count else { return nil }
    return correlation.value.map { Double($0) }
  }

  /// Returns by how many standard errors the tiles agree better than others; negative: worse.
  func gain(over other: TileAgreement) -> Double {
    let gains = zip(correlations, other.correlations).compactMap { own, others in
      own.flatMap { own in others.map { own - $0 } }
    }
    guard gains.count >= 8 else { return 0 }
    let mean = gains.reduce(0, +) / Double(gains.count)
    let variance = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gains.count - 1)
    return mean / (variance / Double(gains.count) + 1e-12).squareRoot()
  }
}

/// The correlation of two contrasts, over the pixels that both pictures have.
struct Correlation {
  private var product: Float = 0
  private var own: Float = 0
  private var others: Float = 0
  private(set) var count = 0

  @inline(__always)
  mutating func add(_ first: Float, _ second: Float) {
    // NaN: saturated or outside.
    guard first * second == first * second else { return }
    product += first * second
    own += first * first
    others += second * second
    count += 1
  }

  /// nil: one of them has no contrast.
  var value: Float? { own * others > 0 ? product / (own * others).squareRoot() : nil }
}
