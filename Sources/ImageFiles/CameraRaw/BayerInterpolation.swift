internal import Frames
internal import Threads

/// Interpolates the colours missing at each site of a Bayer pattern from its neighbours, corrected by the gradient of
/// the site's measured colour.
///
/// It is linear below saturation, so that differences of pictures are pictures of differences; a saturated site has no
/// gradient. Gradients are scaled between colours by the response to white, because the samples are not balanced.
/// Source: Malvar, He, Cutler, "High-quality linear interpolation for demosaicing of Bayer-patterned color images"
/// (ICASSP 2004), figure 2.
struct BayerInterpolation: Sendable {
  let mosaic: SensorMosaic
  let pattern: FilterPattern
  /// The response of R, G and B to white.
  let white: SIMD3<Float>

  func fill(_ image: SceneImage) {
    RowStrips(rows: image.size.height).run(threads: nil) { _, rows in
      for y in rows {
        fillColored(image, y)
        fillGreen(image, y)
      }
    }
  }

  /// A row and its neighbours.
  private func lines(_ y: Int) -> [UnsafePointer<Float>] {
    unsafe (-2...2).map { unsafe mosaic.row(y + $0) }
  }

  /// Fills the red or blue sites of a row.
  private func fillColored(_ image: SceneImage, _ y: Int) {
    let first = pattern.color(x: 0, y: y) == 1 ? 1 : 0
    let own = pattern.color(x: first, y: y)
    let other = 2 - own
    let (greenShare, otherShare) = (0.5 * white[1] / white[own], 0.75 * white[other] / white[own])
    let lines = unsafe lines(y)
    let (up2, up, line, down, down2) = unsafe (lines[0], lines[1], lines[2], lines[3], lines[4])
    let (owns, greens, others) = unsafe (image.row(own, y), image.row(1, y), image.row(other, y))
    for x in stride(from: first, to: image.size.width, by: 2) {
      let light = unsafe line[x]
      let far = unsafe line[x - 2] + line[x + 2] + up2[x] + down2[x]
      let gradient = light < 1 ? light - 0.25 * far : 0
      let cross = unsafe line[x - 1] + line[x + 1] + up[x] + down[x]
      let corners = unsafe up[x - 1] + up[x + 1] + down[x - 1] + down[x + 1]
      unsafe owns[x] = light
      unsafe greens[x] = 0.25 * cross + greenShare * gradient
      unsafe others[x] = 0.25 * corners + otherShare * gradient
    }
  }

  /// Fills the green sites of a row.
  private func fillGreen(_ image: SceneImage, _ y: Int) {
    let first = pattern.color(x: 0, y: y) == 1 ? 0 : 1
    // The colour of the neighbours in the row, and in the column.
    let beside = pattern.color(x: 1 - first, y: y)
    let above = 2 - beside
    let (besideShare, aboveShare) = (0.125 * white[beside] / white[1], 0.125 * white[above] / white[1])
    let lines = unsafe lines(y)
    let (up2, up, line, down, down2) = unsafe (lines[0], lines[1], lines[2], lines[3], lines[4])
    let (besides, greens, aboves) = unsafe (image.row(beside, y), image.row(1, y), image.row(above, y))
    for x in stride(from: first, to: image.size.width, by: 2) {
      let light = unsafe line[x]
      let corners = unsafe up[x - 1] + up[x + 1] + down[x - 1] + down[x + 1]
      let (row, column) = unsafe (line[x - 2] + line[x + 2], up2[x] + down2[x])
      let base = 5 * light - corners
      unsafe greens[x] = light
      unsafe besides[x] =
        0.5 * (line[x - 1] + line[x + 1]) + (light < 1 ? besideShare * (base - row + 0.5 * column) : 0)
      unsafe aboves[x] = 0.5 * (up[x] + down[x]) + (light < 1 ? aboveShare * (base - column + 0.5 * row) : 0)
    }
  }
}

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
    (self.mosaic, self.pattern) = (mosaic, pattern)
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
