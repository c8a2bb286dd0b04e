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

  /// - Parameter image: An image of the mosaic's size.
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
