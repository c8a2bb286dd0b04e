public import ColorScience
public import Frames

/// Settings for computing a constant-colour picture from a pair.
public struct ConstantColorSettings: Sendable, Hashable {
  /// Exposure of the ambient picture divided by that of the flash picture; nil: from the pictures' metadata, else 1.
  public var exposureRatio: Double?
  /// The colour of the flash.
  public var flash: FlashLight
  /// Linear colour space of the result; its white is D65.
  public var space: RGBSpace
  /// Whether movement between the pictures is detected and compensated for.
  public var registers: Bool
  /// Areas of interest to measure.
  public var regions: [PictureArea]

  /// Creates settings; by default, the flash has 5500 K and the result BT.709 primaries.
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
