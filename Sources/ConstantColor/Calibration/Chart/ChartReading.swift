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
