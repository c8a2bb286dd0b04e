package import Frames

extension NoiseModel {
  /// Estimates the noise of a picture from its smoothest areas.
  ///
  /// In small blocks, a difference filter that cancels gradients measures the variance. Texture can only increase it,
  /// so a line is fitted through the lowest blocks of each brightness.
  /// Source: Foi et al. (2008), "Practical Poissonian-Gaussian noise modeling and fitting for single-image raw data",
  /// for the model; Immerkær (1996), "Fast noise variance estimation", for the difference.
  package init(estimating image: SceneImage) {
    var model = NoiseModel(shot: .zero, read: .zero)
    for channel in 0..<3 {
      let line = Self.line(through: Self.blocks(of: image, channel))
      model.shot[channel] = line.slope
      model.read[channel] = line.offset
    }
    let rounding = Double(image.description.quantum)
    // Quantization variance: a twelfth of the squared step.
    model.read += SIMD3(repeating: rounding * rounding / 12)
    self = model
  }

  private struct Block {
    var mean: Double
    var variance: Double
  }

  /// Side of a block in pixels.
  private static let side = 8
  /// Number of sampled blocks.
  private static let blockCount = 16_384
  /// Distance between compared samples: demosaiced neighbours share raw samples.
  private static let distance = 2

  private static func blocks(of image: SceneImage, _ channel: Int) -> [Block] {
    let (columns, rows) = (image.size.width / side, image.size.height / side)
    let every = max(1, Int((Double(columns * rows) / Double(blockCount)).squareRoot()))
    let limit = image.description.saturation.map { Double($0[channel]) * 0.95 } ?? .infinity
    var blocks: [Block] = []
    for row in stride(from: 0, to: rows, by: every) {
      for column in stride(from: 0, to: columns, by: every) {
        let block = block(image, channel, x: column * side, y: row * side)
        if block.mean > 0, block.mean < limit, block.variance.isFinite { blocks.append(block) }
      }
    }
    return blocks
  }

  private static func block(_ image: SceneImage, _ channel: Int, x: Int, y: Int) -> Block {
    var (sum, squares) = (0.0, 0.0)
    for row in 0..<side {
      let samples = unsafe image.row(channel, y + row)
      for column in 0..<side { sum += Double(unsafe samples[x + column]) }
    }
    let count = side - distance
    for row in 0..<count {
      let (upper, lower) = unsafe (image.row(channel, y + row), image.row(channel, y + row + distance))
      for column in x..<x + count {
        let difference = unsafe upper[column] - upper[column + distance] - lower[column] + lower[column + distance]
        squares += Double(difference) * Double(difference)
      }
    }
    // The difference of four samples has four times their variance.
    return Block(mean: sum / Double(side * side), variance: squares / Double(4 * count * count))
  }

  /// Number of brightness classes.
  private static let classCount = 24
  /// The share of a class's blocks, from the lowest variance, that is attributed to noise alone.
  private static let smoothShare = 0.3
  /// Ratio of that quantile to the true variance in blocks without texture (chi-squared, 36 correlated differences).
  private static let quantileFactor = 0.86

  /// Fits a line through the smoothest blocks of each brightness class, with non-negative slope and offset.
  private static func line(through blocks: [Block]) -> (slope: Double, offset: Double) {
    let sorted = blocks.sorted { $0.mean < $1.mean }
    let length = max(16, (sorted.count + classCount - 1) / classCount)
    var points: [(mean: Double, variance: Double)] = []
    for start in stride(from: 0, to: sorted.count, by: length) {
      let part = sorted[start..<min(start + length, sorted.count)]
      let variances = part.map(\.variance).sorted()
      let variance = variances[Int(Double(variances.count) * smoothShare)] / quantileFactor
      points.append((part.reduce(0) { $0 + $1.mean } / Double(part.count), variance))
    }
    return line(through: points)
  }

  private static func line(through points: [(mean: Double, variance: Double)]) -> (slope: Double, offset: Double) {
    let floor = (points.map(\.variance).max() ?? 0) * 1e-3
    guard floor > 0 else { return (0, 0) }
    var (n, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      // The uncertainty of a variance estimate is proportional to it.
      let weight = 1 / ((point.variance + floor) * (point.variance + floor))
      n += weight
      x += weight * point.mean
      y += weight * point.variance
      xx += weight * point.mean * point.mean
      xy += weight * point.mean * point.variance
    }
    let spread = n * xx - x * x
    let slope = spread > 1e-12 * n * xx ? (n * xy - x * y) / spread : 0
    if slope <= 0 { return (0, max(y / n, 0)) }
    let offset = (y - slope * x) / n
    return offset < 0 ? (max(xy / xx, 0), 0) : (slope, offset)
  }
}
