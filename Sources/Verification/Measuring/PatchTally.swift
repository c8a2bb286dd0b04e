internal import Frames

/// What was seen of a patch, frame by frame.
struct PatchTally: Sendable {
  /// Samples in a mean, of the component with fewest.
  private(set) var samples = 0
  private(set) var frames = 0
  private var sum = SIMD3<Double>.zero
  private var noise = 0.0
  /// The largest ΔE ITP of a frame.
  private(set) var worstDeltaE = 0.0
  /// The frame of it, counted from the first of the input.
  private(set) var worstFrame = 0

  /// Means of samples: Y', Cb, Cr or R, G, B.
  var mean: SIMD3<Double> { sum / Double(max(frames, 1)) }

  /// Root mean square of the differences from the mean of Y' or G.
  var deviation: Double { (noise / Double(max(frames, 1))).squareRoot() }

  /// Reads an area of a frame; nil where nothing is to be read.
  static func read(_ reader: inout SampleReader, _ area: PictureArea, isRGB: Bool) -> (
    mean: SIMD3<Double>, deviation: Double, samples: Int
  )? {
    var mean = SIMD3<Double>.zero
    var deviation = 0.0
    var samples = Int.max
    for component in 0..<3 {
      guard let statistics = reader.statistics(component, reader.area(component, of: area)) else { return nil }
      mean[component] = statistics.mean
      samples = min(samples, statistics.count)
      if component == (isRGB ? 1 : 0) { deviation = statistics.deviation }
    }
    return (mean, deviation, samples)
  }

  mutating func add(
    _ reading: (mean: SIMD3<Double>, deviation: Double, samples: Int), deltaE: Double, frame: Int
  ) {
    samples = frames == 0 ? reading.samples : min(samples, reading.samples)
    frames += 1
    sum += reading.mean
    noise += reading.deviation * reading.deviation
    if deltaE > worstDeltaE { (worstDeltaE, worstFrame) = (deltaE, frame) }
  }
}
