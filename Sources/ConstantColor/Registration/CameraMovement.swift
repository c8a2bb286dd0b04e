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
  private static let leastGain = 6.0
  /// Smaller movements, in pixels of the working size, are ignored: compensation would only blur.
  private static let leastMovement = 0.06

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
    guard found.distance(to: .identity, over: size) > Self.leastMovement * working.scale else { return false }
    return pyramid.flash.indices.contains { level in
      let refinement = refinement(level)
      let tile = max(8, refinement.flash.size.width / 16)
      let moved = TileAgreement(refinement.flash, refinement.warped(by: found), tile: tile)
      let unmoved = TileAgreement(refinement.flash, refinement.warped(by: .identity), tile: tile)
      return moved.gain(over: unmoved) > Self.leastGain
    }
  }
}
