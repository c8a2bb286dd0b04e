internal import ColorScience

/// The gamut of a standard as drawn in planes, identified by line style and shape rather than colour.
struct GamutOutline {
  let name: String
  /// For tight spaces.
  let shortName: String
  let space: RGBSpace
  let style: LineStyle

  static let all = [
    GamutOutline(name: "BT.2020", shortName: "2020", space: .bt2020, style: .solid),
    GamutOutline(name: "P3", shortName: "P3", space: .displayP3, style: .dashed),
    GamutOutline(name: "BT.709", shortName: "709", space: .bt709, style: .dotted),
  ]
}
