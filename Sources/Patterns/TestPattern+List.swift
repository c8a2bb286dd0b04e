extension TestPattern {
  /// All of them, in the order in which they are listed.
  public static let all: [TestPattern] = [
    bt2111HLG, bt2111PQ, bt2111PQFull, edr, headroom, window, checkerboard, pluge, clipping, ramp, steps, banding,
    gamut,
    colorChecker, chromaSiting, zonePlate, pixelGrid, counter,
  ]

  /// The pattern of a name; nil where there is none.
  public static func named(_ name: String) -> TestPattern? { all.first { $0.name == name } }
}
