internal import Frames
internal import Threads

/// Interpolates the colours missing at each site of a filter pattern other than Bayer's, such as X-Trans: the mean of
/// that colour in 5 x 5 sites, weighted by the inverse square of the distance.
struct FilterInterpolation: Sendable {
  private struct Tap: Sendable {
    let x: Int
    let y: Int
    let weight: Float
  }

  private let mosaic: SensorMosaic
  private let pattern: FilterPattern
  /// By position in the pattern, then by colour; empty for the site's measured colour.
  private let taps: [[[Tap]]]

  /// - Throws: `ImageFileError.unsupported` if colours lie further apart than 5 x 5 sites.
  init(mosaic: SensorMosaic, pattern: FilterPattern, _ file: LibRawFile) throws(ImageFileError) {
    self.mosaic = mosaic
    self.pattern = pattern
    let size = pattern.size
    taps = (0..<size.width * size.height).map { place in
      (0..<3).map { Self.taps(pattern, x: place % size.width, y: place / size.width, color: $0) }
    }
    for place in taps where place.count(where: \.isEmpty) > 1 {
      throw file.unsupported("the pattern of its filters is not supported")
    }
  }

  private static func taps(_ pattern: FilterPattern, x: Int, y: Int, color: Int) -> [Tap] {
    let own = pattern.color(x: x, y: y)
    guard own != color else { return [] }
    var taps: [Tap] = []
    for dy in -2...2 {
      for dx in -2...2 {
        let (column, row) = (x + dx + pattern.size.width, y + dy + pattern.size.height)
        guard pattern.color(x: column, y: row) == color else { continue }
        taps.append(Tap(x: dx, y: dy, weight: 1 / Float(dx * dx + dy * dy)))
      }
    }
    let sum = taps.reduce(0) { $0 + $1.weight }
    return taps.map { Tap(x: $0.x, y: $0.y, weight: $0.weight / sum) }
  }

  /// - Parameter image: An image of the mosaic's size.
  func fill(_ image: SceneImage) {
    RowStrips(rows: image.size.height).run(threads: nil) { _, rows in
      for y in rows { fill(image, y) }
    }
  }

  private func fill(_ image: SceneImage, _ y: Int) {
    let size = image.size
    let targets = unsafe (0..<3).map { unsafe image.row($0, y) }
    let line = unsafe mosaic.row(y)
    // Near the edges, missing colours are taken from the nearest site with all its neighbours.
    let row = min(max(y, 2), size.height - 3)
    for x in 0..<size.width {
      let column = min(max(x, 2), size.width - 3)
      let place = row % pattern.size.height * pattern.size.width + column % pattern.size.width
      let own = pattern.color(x: x, y: y)
      for color in 0..<3 where color != own {
        unsafe targets[color][x] = light(taps[place][color], column, row)
      }
      unsafe targets[own][x] = line[x]
    }
  }

  private func light(_ taps: [Tap], _ x: Int, _ y: Int) -> Float {
    // The site's measured colour.
    if taps.isEmpty { return unsafe mosaic.row(y)[x] }
    return taps.reduce(0) { sum, tap in unsafe sum + tap.weight * mosaic.row(y + tap.y)[x + tap.x] }
  }
}
