internal import Frames
internal import Rendering

/// Movement that differs from the camera's, such as parallax of near objects.
///
/// A movement counts only if its neighbours predict it: repeating textures and shadows look like movement too.
struct LocalMovement {
  /// Camera movement and local movement.
  private(set) var map: PixelMap

  private let flash: LocalContrast
  private let ambient: Plane
  private let columns: Int
  private let rows: Int

  /// Tile size and maximum shift in pixels, at half the working size.
  private static let (tile, reach) = (32, 5)

  /// Shift of a tile, in pixels of the level, with its evidence.
  private struct Shift: Sendable {
    var value: SIMD2<Float>
    /// Correlations of all candidate shifts, row by row.
    var correlations: [Float]
    var isMoved: Bool { (value * value).sum() > 0.3 * 0.3 }
  }

  /// Detects local movement after compensating for the camera's.
  init(_ pyramid: PicturePyramid, camera: AffineMap, of size: Size, pool: WorkerPool) {
    map = PixelMap(camera: camera)
    let level = min(1, pyramid.flash.count - 1)
    flash = pyramid.flash[level]
    ambient = pyramid.ambient[level].plane.resampled(map, scale: flash.scale, of: size, pool: pool)
    (columns, rows) = (flash.plane.size.width / Self.tile, flash.plane.size.height / Self.tile)
    guard columns >= 4, rows >= 3 else { return }
    let found = pool.results(of: columns * rows * WorkerPool.bandHeight) { [self] lines in
      shift(lines.lowerBound / WorkerPool.bandHeight)
    }
    let believed = found.indices.map { isPredicted($0, found) ? found[$0]?.value : nil }
    let moved = found.indices.filter { believed[$0] != nil && found[$0]?.isMoved == true }
    guard moved.count >= max(4, columns * rows / 40) else { return }
    var bent = map
    bent.parallax = DisplacementGrid(
      columns: columns, rows: rows,
      span: SIMD2(Double(flash.plane.size.width), Double(flash.plane.size.height)) / Double(Self.tile),
      values: spread(believed))
    if agrees(bent, better: map, pyramid, size, pool) { map = bent }
  }

  private func agrees(
    _ bent: PixelMap, better plain: PixelMap, _ pyramid: PicturePyramid, _ size: Size, _ pool: WorkerPool
  ) -> Bool {
    let working = (pyramid.flash[0], pyramid.ambient[0].plane)
    func agreement(_ map: PixelMap) -> TileAgreement {
      TileAgreement(
        working.0.plane, working.1.resampled(map, scale: working.0.scale, of: size, pool: pool), tile: Self.tile)
    }
    return agreement(bent).gain(over: agreement(plain)) > 3
  }

  /// Returns the shift with the highest correlation of a tile; nil if it is ambiguous.
  private func shift(_ index: Int) -> Shift? {
    let side = 2 * Self.reach + 1
    var correlations = [Float](repeating: -1, count: side * side)
    for down in 0..<side {
      for right in 0..<side {
        correlations[down * side + right] = correlation(index, right - Self.reach, down - Self.reach)
      }
    }
    guard let best = correlations.indices.max(by: { correlations[$0] < correlations[$1] }) else { return nil }
    let (right, down) = (best % side, best / side)
    guard correlations[best] > 0.6, 1..<side - 1 ~= right, 1..<side - 1 ~= down else { return nil }
    // Another shift that fits nearly as well: the texture repeats, or is an edge.
    for other in correlations.indices where max(abs(other % side - right), abs(other / side - down)) == 3 {
      guard correlations[other] < correlations[best] - 0.15 else { return nil }
    }
    func vertex(_ before: Int, _ after: Int) -> Float {
      let (low, top, high) = (correlations[before], correlations[best], correlations[after])
      return 0.5 * (low - high) / min(low - 2 * top + high, -1e-6)
    }
    let value = SIMD2(
      Float(right - Self.reach) + vertex(best - 1, best + 1),
      Float(down - Self.reach) + vertex(best - side, best + side))
    return Shift(value: value, correlations: correlations)
  }

  private func correlation(_ index: Int, _ right: Int, _ down: Int) -> Float {
    let (left, top) = (index % columns * Self.tile, index / columns * Self.tile)
    var correlation = Correlation()
    for y in top..<top + Self.tile where 0..<flash.plane.size.height ~= y + down {
      let (first, second) = unsafe (flash.plane.row(y), ambient.row(y + down))
      for x in max(left, -right)..<min(left + Self.tile, first.count - right) {
        unsafe correlation.add(first[x], second[x + right])
      }
    }
    return 2 * correlation.count > Self.tile * Self.tile ? correlation.value ?? -1 : -1
  }

  private func neighbors(_ index: Int) -> [Int] {
    let (x, y) = (index % columns, index / columns)
    return (max(0, y - 1)...min(rows - 1, y + 1)).flatMap { line in
      (max(0, x - 1)...min(columns - 1, x + 1)).map { line * columns + $0 }
    }.filter { $0 != index }
  }

  /// Whether the median of a tile's neighbours is close to its shift, and fits it better than no shift.
  private func isPredicted(_ index: Int, _ shifts: [Shift?]) -> Bool {
    guard let own = shifts[index] else { return false }
    let others = neighbors(index).compactMap { shifts[$0]?.value }
    guard others.count >= 3 else { return false }
    func median(_ values: [Float]) -> Float { values.sorted()[values.count / 2] }
    let prediction = SIMD2(median(others.map(\.x)), median(others.map(\.y)))
    let difference = own.value - prediction
    guard (difference * difference).sum() < 0.75 * 0.75 else { return false }
    guard own.isMoved else { return true }
    let side = 2 * Self.reach + 1
    let (right, down) = (Int(prediction.x.rounded()), Int(prediction.y.rounded()))
    guard abs(right) <= Self.reach, abs(down) <= Self.reach else { return false }
    let nearest = own.correlations[(down + Self.reach) * side + right + Self.reach]
    return (right, down) == (0, 0) || nearest > own.correlations[Self.reach * side + Self.reach] + 0.05
  }

  /// Returns displacements of all tiles in pixels of the picture; tiles with unknown movement follow their neighbours
  /// or stay.
  private func spread(_ values: [SIMD2<Float>?]) -> [SIMD2<Float>] {
    values.indices.map { index in
      if let own = values[index] { return own * Float(flash.scale) }
      let known = neighbors(index).compactMap { values[$0] }
      guard !known.isEmpty else { return .zero }
      return known.reduce(.zero, +) * (Float(flash.scale) / Float(known.count))
    }
  }
}
