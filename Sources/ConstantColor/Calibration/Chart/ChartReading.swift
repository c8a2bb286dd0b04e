internal import ColorScience
public import Frames

/// The patches of a ColorChecker Classic in a picture.
public struct ChartReading: Sendable, Hashable {
  /// A patch in the picture.
  public struct Patch: Sendable, Hashable {
    /// Mean R, G, B of the middle half of the patch.
    public var rgb: SIMD3<Double>
    /// Centre of the patch in pixels from the picture's top left.
    public var center: SIMD2<Double>
  }

  /// The patches in the order of `ColorCheckerPatch.all`.
  public let patches: [Patch]
  /// The centres of the corner patches in pixels from the picture's top left: dark skin, bluish green, black, white.
  public let corners: [SIMD2<Double>]
  /// Extent of the picture.
  public let picture: Size

  /// Creates a reading from existing measurements.
  init(patches: [Patch], corners: [SIMD2<Double>], picture: Size) {
    (self.patches, self.corners, self.picture) = (patches, corners, picture)
  }

  /// Measures the patches of a chart.
  /// - Parameters:
  ///   - picture: Linear light of the flash alone.
  ///   - exposed: The flash picture that it was derived from, which shows clipping; nil: `picture`.
  ///   - corners: The centres of the four corner patches in pixels from the picture's top left, where the centre of the
  ///     first pixel is at 0.5: dark skin, bluish green, black, white (clockwise on the chart).
  /// - Throws: `CalibrationError`, which names the unusable patch.
  public init(
    of picture: SceneImage, exposed: SceneImage? = nil, corners: [SIMD2<Double>]
  ) throws(CalibrationError) {
    let placement = try ChartPlacement(corners: corners)
    let samples = try PatchSamples.all(of: picture, placement: placement)
    if let exposed {
      try ChartInspection(PatchSamples.all(of: exposed, placement: placement), in: exposed).checkClipping()
    } else {
      try ChartInspection(samples, in: picture).checkClipping()
    }
    try ChartInspection(samples, in: picture).check()
    patches = samples.map { Patch(rgb: $0.mean, center: $0.center) }
    self.corners = corners
    self.picture = picture.size
  }

  /// Finds a chart in a picture and measures its patches.
  ///
  /// The chart may be rotated by quarter turns, by a few degrees more, and seen at an angle; it must fill at least a
  /// quarter of the picture's width.
  /// - Parameters:
  ///   - picture: Linear light of the flash alone.
  ///   - exposed: The flash picture that it was derived from, which shows clipping; nil: `picture`.
  /// - Throws: `CalibrationError`
  public init(findingIn picture: SceneImage, exposed: SceneImage? = nil) throws(CalibrationError) {
    try self.init(of: picture, exposed: exposed, corners: ChartFinder(picture).corners())
  }
}

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
        result.append((place, picture.pixel(x, y)))
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

/// Checks that the patches of a chart are usable.
struct ChartInspection {
  private let patches: [PatchSamples]
  private let picture: SceneImage
  /// Light added to dark patches in comparisons, so that their noise does not count as unevenness.
  private let floor: SIMD3<Double>

  /// Fractions of a patch's pixels that may be clipped, and that may be outliers.
  private static let tolerance = (clipped: 0.02, outliers: 0.25)
  /// Standard error of a patch's mean, and difference between its quarters, relative to its light.
  private static let limits = (noise: 0.02, quarters: 0.25)

  /// - Parameters:
  ///   - patches: All patches, in order.
  ///   - picture: The picture that contains them.
  init(_ patches: [PatchSamples], in picture: SceneImage) {
    self.patches = patches
    self.picture = picture
    floor = patches[18].mean * 0.02
  }

  /// - Throws: `CalibrationError.patchClipped` for the first clipped patch.
  func checkClipping() throws(CalibrationError) {
    for (index, patch) in patches.enumerated() {
      if patch.saturatedShare > Self.tolerance.clipped || isAtCeiling(index) { throw .patchClipped(patch.name) }
    }
  }

  /// - Throws: `CalibrationError` for the first patch that is too noisy or uneven.
  func check() throws(CalibrationError) {
    for patch in patches {
      if patch.outliers > Self.tolerance.outliers { throw .patchUneven(patch.name) }
      // Anything below the floor is noise around zero.
      let light = pointwiseMax(patch.mean, .zero) + floor
      guard light.min() > 0 else { throw .patchNoisy(patch.name) }
      let noise = patch.deviation / (Double(patch.count).squareRoot() * light)
      guard noise.max() <= Self.limits.noise else { throw .patchNoisy(patch.name) }
      let high = patch.quarters.reduce(patch.mean) { pointwiseMax($0, $1) }
      let low = patch.quarters.reduce(patch.mean) { pointwiseMin($0, $1) }
      // Quarters have twice the noise of the whole.
      let tolerated = SIMD3(repeating: Self.limits.quarters) + 6 * noise
      guard ((high - low) / light - tolerated).max() <= 0 else { throw .patchUneven(patch.name) }
    }
  }

  /// Whether many pixels of a patch share the maximum of a channel over all patches, while most patches do not:
  /// evidence of clipping when the saturation is unknown.
  private func isAtCeiling(_ index: Int) -> Bool {
    guard picture.description.saturation == nil else { return false }
    for channel in 0..<3 {
      let ceiling = patches.map { $0.maximum[channel] }.max() ?? 0
      let typical = patches.map { $0.maximumShare[channel] }.sorted()[patches.count / 2]
      let patch = patches[index]
      if patch.maximum[channel] == ceiling, patch.maximumShare[channel] > 0.1, typical < 0.1 { return true }
    }
    return false
  }
}
