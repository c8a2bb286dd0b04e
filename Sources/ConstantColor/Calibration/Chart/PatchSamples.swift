internal import ColorScience
internal import Frames

/// The pixels of the middle half of a patch.
struct PatchSamples {
  let name: String
  /// Centre in pixels.
  let center: SIMD2<Double>
  /// Robust mean.
  let mean: SIMD3<Double>
  /// Robust standard deviation of a pixel.
  let deviation: SIMD3<Double>
  /// Number of pixels in the mean, and fraction of outliers.
  let count: Int, outliers: Double
  /// Means of the four quarters, without outliers.
  let quarters: [SIMD3<Double>]
  /// The maximum of each channel, and the fraction of pixels that have it.
  let maximum: SIMD3<Float>, maximumShare: SIMD3<Double>
  /// The largest fraction over the channels of pixels that are saturated or not finite.
  let saturatedShare: Double

  /// Minimum number of pixels of a patch.
  private static let minimumCount = 16
  /// Maximum number of values that the median is computed from.
  private static let medianCount = 4096

  init(
    of picture: SceneImage, patch: Int, name: String, placement: ChartPlacement
  ) throws(CalibrationError) {
    self.name = name
    let middle = ChartPlacement.center(patch)
    center = placement.toPicture(middle)
    let pixels = try Self.pixels(of: picture, around: middle, placement, name)
    guard pixels.count >= Self.minimumCount else { throw .patchTooSmall(name) }
    let limit = picture.description.saturation.map { $0 * 0.98 } ?? SIMD3(repeating: .infinity)
    var (largest, saturated) = (SIMD3<Float>(repeating: -.infinity), SIMD3<Double>.zero)
    for (_, rgb) in pixels {
      largest = pointwiseMax(largest, rgb)
      for channel in 0..<3 where rgb[channel] >= limit[channel] || !rgb[channel].isFinite { saturated[channel] += 1 }
    }
    var share = SIMD3<Double>.zero
    for (_, rgb) in pixels { for channel in 0..<3 where rgb[channel] == largest[channel] { share[channel] += 1 } }
    (maximum, maximumShare) = (largest, share / Double(pixels.count))
    saturatedShare = (saturated / Double(pixels.count)).max()
    let (median, spread) = Self.center(pixels)
    deviation = spread
    let kept = pixels.filter { _, rgb in
      let distance = SIMD3<Double>(rgb) - median
      return (0..<3).allSatisfy { distance[$0].magnitude <= 3 * spread[$0] + 1e-6 * median[$0].magnitude }
    }
    count = kept.count
    outliers = 1 - Double(kept.count) / Double(pixels.count)
    mean = kept.reduce(SIMD3.zero) { $0 + SIMD3<Double>($1.rgb) } / Double(max(kept.count, 1))
    quarters = (0..<4).map { quarter in
      let part = kept.filter { ($0.place.x > middle.x ? 1 : 0) + ($0.place.y > middle.y ? 2 : 0) == quarter }
      return part.reduce(SIMD3.zero) { $0 + SIMD3<Double>($1.rgb) } / Double(max(part.count, 1))
    }
  }

  /// Returns the samples of all patches, in order.
  static func all(of picture: SceneImage, placement: ChartPlacement) throws(CalibrationError) -> [PatchSamples] {
    var result: [PatchSamples] = []
    for (index, patch) in ColorCheckerPatch.all.enumerated() {
      result.append(try PatchSamples(of: picture, patch: index, name: patch.name, placement: placement))
    }
    return result
  }

  private typealias Pixel = (place: SIMD2<Double>, rgb: SIMD3<Float>)

  /// Returns the pixels whose centres are in the middle half, with their positions on the chart.
  private static func pixels(
    of picture: SceneImage, around middle: SIMD2<Double>, _ placement: ChartPlacement, _ name: String
  ) throws(CalibrationError) -> [Pixel] {
    let half = ChartPlacement.measuredHalf
    let edges = [SIMD2(-half, -half), SIMD2(half, -half), SIMD2(half, half), SIMD2(-half, half)].map {
      placement.toPicture(middle + $0)
    }
    let low = edges.reduce(edges[0]) { pointwiseMin($0, $1) }
    let high = edges.reduce(edges[0]) { pointwiseMax($0, $1) }
    guard low.x >= 0, low.y >= 0, high.x <= Double(picture.size.width), high.y <= Double(picture.size.height) else {
      throw .patchOutside(name)
    }
    var result: [Pixel] = []
    for y in Int(low.y)..<min(Int(high.y) + 1, picture.size.height) {
      for x in Int(low.x)..<min(Int(high.x) + 1, picture.size.width) {
        let place = placement.toChart(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
        let offset = place - middle
        guard max(offset.x.magnitude, offset.y.magnitude) <= half else { continue }
        result.append((place, SIMD3(picture[0, x, y], picture[1, x, y], picture[2, x, y])))
      }
    }
    return result
  }

  /// Returns the channel medians, and standard deviations from median absolute deviations.
  private static func center(_ pixels: [Pixel]) -> (SIMD3<Double>, SIMD3<Double>) {
    var (middle, spread) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    let step = (pixels.count + medianCount - 1) / medianCount
    let chosen = stride(from: 0, to: pixels.count, by: step).map { pixels[$0].rgb }
    for channel in 0..<3 {
      let values = chosen.map { Double($0[channel]) }.filter(\.isFinite).sorted()
      guard !values.isEmpty else { continue }
      middle[channel] = values[values.count / 2]
      let distances = values.map { ($0 - middle[channel]).magnitude }.sorted()
      // The ratio for a normal distribution.
      spread[channel] = 1.4826 * distances[distances.count / 2]
    }
    return (middle, spread)
  }
}
