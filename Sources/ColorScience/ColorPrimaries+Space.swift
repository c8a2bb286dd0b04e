extension ColorPrimaries {
  /// How far a coordinate may be from the standard's: files round to three or four digits.
  private static let tolerance = 0.001

  /// The primaries of H.273 with these chromaticities.
  /// - Returns: nil where there are none within 0.001 of each coordinate.
  public init?(_ space: RGBSpace) {
    let known = Self.allCases.first { primaries in
      guard let standard = primaries.space else { return false }
      return zip(space.coordinates, standard.coordinates).allSatisfy { abs($0 - $1) <= Self.tolerance }
    }
    guard let known else { return nil }
    self = known
  }
}

extension RGBSpace {
  fileprivate var coordinates: [Double] { [red, green, blue, white].flatMap { [$0.x, $0.y] } }
}
