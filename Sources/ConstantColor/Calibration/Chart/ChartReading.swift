internal import ColorScience
public import Frames

/// The patches of a ColorChecker Classic in a picture.
public struct ChartReading: Sendable, Hashable {
  /// A patch in the picture.
  public struct Patch: Sendable, Hashable {
    /// Mean R, G, B of its middle half.
    public var rgb: SIMD3<Double>
    /// Its centre in pixels from the picture's top left.
    public var center: SIMD2<Double>
  }

  /// The patches in the order of `ColorCheckerPatch.all`.
  public let patches: [Patch]
  /// The centres of the corner patches in pixels from the picture's top left: dark skin, bluish green, black, white.
  public let corners: [SIMD2<Double>]
  /// Extent of the picture.
  public let picture: Size

  /// What was measured elsewhere.
  init(patches: [Patch], corners: [SIMD2<Double>], picture: Size) {
    (self.patches, self.corners, self.picture) = (patches, corners, picture)
  }

  /// Measures the patches of a chart.
  /// - Parameters:
  ///   - picture: Linear light of the flash alone.
  ///   - exposed: The picture with the flash that it was computed from, in which clipping shows; nil: itself.
  ///   - corners: The centres of the four corner patches in pixels from the picture's top left, where the centre of the
  ///     first pixel is at a half: dark skin, bluish green, black, white, as they follow clockwise on the chart.
  /// - Throws: `CalibrationError` that names the patch that cannot be measured.
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
  /// The chart may be turned in steps of a quarter, a little more, and seen at an angle; it fills at least a quarter of
  /// the picture's width.
  /// - Parameters:
  ///   - picture: Linear light of the flash alone.
  ///   - exposed: The picture with the flash that it was computed from, in which clipping shows; nil: itself.
  /// - Throws: `CalibrationError`
  public init(findingIn picture: SceneImage, exposed: SceneImage? = nil) throws(CalibrationError) {
    try self.init(of: picture, exposed: exposed, corners: ChartFinder(picture).corners())
  }
}
