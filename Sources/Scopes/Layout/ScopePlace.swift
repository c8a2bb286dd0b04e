public import Frames

/// Where a scope is in the picture of scopes, in pixels.
public struct ScopePlace: Sendable, Hashable {
  /// Which scope it is.
  public let kind: ScopeKind
  /// The scope with its title and labels.
  public let area: PictureArea
  /// Where counts are drawn: one area; of a parade R, G and B from the left; of a histogram R, G, B and Y from the top.
  ///
  /// Levels take equal lengths: the middle of level l is at (l + 0.5) / 1024 from the bottom, or of histograms from
  /// the left. Vectorscopes reach from -`reach` to `reach` of their plane both ways; chromaticities show
  /// `chromaticityU` and `chromaticityV`. A pixel shows the bins whose middles are in it.
  public let plots: [PictureArea]

  /// What a plot of chromaticities shows of u' and of v': the same length, so that a unit is equally long both ways.
  public static let (chromaticityU, chromaticityV) = (-0.06..<0.64, -0.05..<0.65)
}
