public import ColorScience
public import Frames

/// How a pair of pictures becomes a picture of constant colour.
public struct ConstantColorSettings: Sendable, Hashable {
  /// Exposure of the ambient picture divided by that of the flash picture; nil: what the pictures state, else 1.
  public var exposureRatio: Double?
  /// The colour of the flash.
  public var flash: FlashLight
  /// Linear space of the result, whose white is D65.
  public var space: RGBSpace
  /// Movement between the pictures is found and compensated for.
  public var registers: Bool
  /// Areas of interest, whose colours are measured.
  public var regions: [PictureArea]

  /// A flash of 5500 K and a result in BT.709 primaries by default.
  public init(
    exposureRatio: Double? = nil, flash: FlashLight = .temperature(5500), space: RGBSpace = .bt709,
    registers: Bool = true, regions: [PictureArea] = []
  ) {
    self.exposureRatio = exposureRatio
    self.flash = flash
    self.space = space
    self.registers = registers
    self.regions = regions
  }
}
