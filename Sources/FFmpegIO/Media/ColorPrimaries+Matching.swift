package import ColorScience

extension ColorPrimaries {
  /// The primaries of H.273 with these chromaticities, each coordinate within 0.001, which is more than any writer
  /// rounds; nil where there are none.
  package static func matching(
    _ space: (white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity)
  )
    -> ColorPrimaries?
  {
    let stated = [space.white, space.red, space.green, space.blue]
    return allCases.first { primaries in
      guard let known = primaries.space else { return false }
      return zip(stated, [known.white, known.red, known.green, known.blue]).allSatisfy {
        abs($0.x - $1.x) <= 0.001 && abs($0.y - $1.y) <= 0.001
      }
    }
  }
}
