internal import Frames

/// The brightest pixel, and the mean of the brightest component, of a picture of linear light.
struct LightSum {
  private var brightest: Float = 0
  private var sum = 0.0
  private var pixels = 0

  mutating func count(_ row: JPEGRows.Row) {
    for x in row.red.indices {
      let level = max(row.red[x], row.green[x], row.blue[x], 0)
      brightest = max(brightest, level)
      sum += Double(level)
    }
    pixels += row.red.count
  }

  /// - Parameter white: Luminance of 1.0 in cd/m².
  func contentLight(white: Double) -> ContentLight {
    ContentLight(roundingUp: Double(brightest) * white, maxFALL: sum / Double(max(pixels, 1)) * white)
  }
}
