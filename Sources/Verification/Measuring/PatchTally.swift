internal import Frames

/// Measurement of a patch in a frame.
struct PatchReading: Sendable {
  /// Means of samples: Y', Cb, Cr or R, G, B.
  var mean = SIMD3<Double>.zero
  /// Standard deviation of Y' or G.
  var deviation = 0.0
  /// Number of samples in a mean, of the component with the fewest.
  var samples = Int.max
  /// Maximum share of outliers in the area over the components.
  var rejected = 0.0

  /// Reads an area of a frame; nil if it contains no samples.
  init?(_ reader: inout SampleReader, _ area: PictureArea, isRGB: Bool) {
    for component in 0..<3 {
      guard let statistics = reader.statistics(component, reader.area(component, of: area)) else { return nil }
      mean[component] = statistics.mean
      samples = min(samples, statistics.count)
      rejected = max(rejected, statistics.rejected)
      if component == (isRGB ? 1 : 0) { deviation = statistics.deviation }
    }
  }
}

/// Measurements of a patch over the frames.
struct PatchTally: Sendable {
  /// Number of samples in a mean, of the component with the fewest.
  private(set) var samples = 0
  private(set) var frames = 0
  private var sum = SIMD3<Double>.zero
  private var noise = 0.0
  /// Maximum ΔE ITP of a frame.
  private(set) var worstDeltaE = 0.0
  /// Index of the frame with the maximum ΔE, from the first of the input.
  private(set) var worstFrame = 0
  /// Maximum share of outliers in a frame.
  private(set) var rejected = 0.0
  private(set) var rejectedFrame = 0

  /// Means of samples: Y', Cb, Cr or R, G, B.
  var mean: SIMD3<Double> { sum / Double(max(frames, 1)) }

  /// Root mean square deviation from the mean of Y' or G.
  var deviation: Double { (noise / Double(max(frames, 1))).squareRoot() }

  mutating func add(_ reading: PatchReading, deltaE: Double, frame: Int) {
    samples = frames == 0 ? reading.samples : min(samples, reading.samples)
    frames += 1
    sum += reading.mean
    noise += reading.deviation * reading.deviation
    if deltaE > worstDeltaE { (worstDeltaE, worstFrame) = (deltaE, frame) }
    if reading.rejected > rejected { (rejected, rejectedFrame) = (reading.rejected, frame) }
  }
}
