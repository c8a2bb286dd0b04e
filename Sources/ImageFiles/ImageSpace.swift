public import ColorScience
public import Frames

/// A colour space of pictures, by its name in Core Graphics.
public struct ImageSpace: Sendable, Hashable, CodableByName {
  /// The Core Graphics name, without its prefix.
  public let name: String
  /// Headroom's shorter name.
  public let shortName: String
  /// Primaries and white of the space.
  public let primaries: ColorPrimaries
  /// Its transfer function; linear light may exceed 0...1.
  public let transfer: TransferCharacteristics

  /// Whether colours outside the gamut and light above white are preserved.
  public var isLinear: Bool { transfer == .linear }
  /// Linear, PQ or HLG.
  public var isHDR: Bool { isLinear || transfer == .pq || transfer == .hlg }

  /// The colour description of full-range R'G'B' samples in this space.
  public var color: ColorDescription {
    ColorDescription(primaries: primaries, transfer: transfer, matrix: .rgb, range: .full)
  }

  private init(_ name: String, _ shortName: String, _ primaries: ColorPrimaries, _ transfer: TransferCharacteristics) {
    self.name = name
    self.shortName = shortName
    self.primaries = primaries
    self.transfer = transfer
  }

  /// Linear light in BT.2020 primaries.
  public static let linearBT2020 = ImageSpace("extendedLinearITUR_2020", "linear-bt2020", .bt2020, .linear)
  /// Linear light in P3 primaries with D65.
  public static let linearP3 = ImageSpace("extendedLinearDisplayP3", "linear-p3", .displayP3, .linear)
  /// Linear light in BT.709 primaries.
  public static let linearSRGB = ImageSpace("extendedLinearSRGB", "linear-srgb", .bt709, .linear)
  /// BT.2100 PQ.
  public static let bt2100PQ = ImageSpace("itur_2100_PQ", "pq", .bt2020, .pq)
  /// PQ in P3 primaries with D65.
  public static let displayP3PQ = ImageSpace("displayP3_PQ", "p3-pq", .displayP3, .pq)
  /// BT.2100 HLG.
  public static let bt2100HLG = ImageSpace("itur_2100_HLG", "hlg", .bt2020, .hlg)
  /// HLG in P3 primaries with D65.
  public static let displayP3HLG = ImageSpace("displayP3_HLG", "p3-hlg", .displayP3, .hlg)
  /// IEC 61966-2-1.
  public static let sRGB = ImageSpace("sRGB", "srgb", .bt709, .sRGB)
  /// The curve of sRGB in P3 primaries with D65.
  public static let displayP3 = ImageSpace("displayP3", "p3", .displayP3, .sRGB)

  /// The primaries and transfer function of one display, untagged: pixels are sent to it unchanged.
  public static let display = ImageSpace("display", "display", .unspecified, .unspecified)

  /// All spaces that files can state.
  public static let all = [
    linearBT2020, linearP3, linearSRGB, bt2100PQ, displayP3PQ, bt2100HLG, displayP3HLG, sRGB, displayP3,
  ]

  /// The space with a name, or `display`, case-insensitive; nil: none.
  public static func named(_ name: String) -> ImageSpace? {
    (all + [display]).first { [$0.name, $0.shortName].map { $0.lowercased() }.contains(name.lowercased()) }
  }
}
