public import Frames

/// The position of a scope in the picture of scopes, in pixels.
public struct ScopePlace: Sendable, Hashable {
  /// The kind of scope.
  public let kind: ScopeKind
  /// Area of the scope including title and labels.
  public let area: PictureArea
  /// Plot areas: one; for a parade R, G and B from the left; for a histogram R, G, B and Y from the top.
  ///
  /// Levels have equal lengths: the centre of level l is at (l + 0.5) / 1024 from the bottom, or from the left in
  /// histograms. Vectorscopes span -`reach` to `reach` of their plane in both directions; chromaticity plots show
  /// `chromaticityU` and `chromaticityV`. A pixel shows the bins whose centres lie in it.
  public let plots: [PictureArea]

  /// Ranges of u' and v' in a chromaticity plot: of equal length, so that both axes have the same scale.
  public static let (chromaticityU, chromaticityV) = (-0.06..<0.64, -0.05..<0.65)
}
