import ColorScience

extension DisplayModel {
  /// The named display presets.
  ///
  /// `edr-2` to `edr-400` are display classes in P3, at the brightness that gives their full headroom. The others are
  /// single formats, as on reference monitors, with SDR white at 100 cd/m².
  public static let presets: [DisplayModel] =
    [
      // A backlight without local dimming: a notebook or a desktop display.
      edr("edr-2", peak: 500, headroom: 2),
      // An HDR10 monitor of the 1000 cd/m² class.
      edr("edr-5", peak: 1000, headroom: 5),
      // An OLED phone.
      edr("edr-8", peak: 1600, headroom: 8),
      // A tablet or notebook with mini-LEDs.
      edr("edr-16", peak: 1600, headroom: 16),
      // A mastering display in a dark room.
      edr("edr-400", peak: 1600, headroom: 400),
      reference,
    ] + formats

  /// Reference mode on a display with its full headroom.
  public static let reference: DisplayModel = {
    var model = DisplayModel(
      "reference", peak: ReferenceMode.peak, sdrWhite: ReferenceMode.sdrWhite, primaries: ReferenceMode.primaries,
      transfer: .pq)
    model.isReferenceModeEnabled = true
    return model
  }()

  /// Returns the preset with a name; nil if unknown.
  public static func preset(named name: String) -> DisplayModel? { presets.first { $0.name == name } }

  private static func edr(_ name: String, peak: Double, headroom: Double) -> DisplayModel {
    DisplayModel(name, peak: peak, sdrWhite: peak / headroom, primaries: .displayP3, transfer: .pq)
  }

  /// Monitors set to a single format.
  private static let formats: [DisplayModel] = [
    sdr("bt709", .bt709, .bt1886, format: .bt709),
    sdr("bt601-smpte-c", .smpte170M, .bt1886, format: .bt601SMPTEC),
    sdr("bt601-ebu", .bt470BG, .bt1886, format: .bt601EBU),
    sdr("srgb", .bt709, .sRGB, format: .sRGB),
    // Source: SMPTE RP 431-2 (2011), 48 cd/m² and a power of 2.6.
    sdr("p3-dci", .dciP3, .gamma(2.6), white: 48),
    sdr("p3-d65", .displayP3, .gamma(2.6), white: 48),
    sdr("p3-d50", .p3D50, .sRGB, white: 160),
    hdr("p3-st2084", .displayP3),
  ]

  private static func sdr(
    _ name: String, _ primaries: RGBSpace, _ transfer: DisplayTransfer, white: Double = ReferenceMode.sdrWhite,
    format: ReferenceFormat? = nil
  ) -> DisplayModel {
    var model = DisplayModel(name, peak: white, sdrWhite: white, primaries: primaries, transfer: transfer)
    model.format = format
    return model
  }

  private static func hdr(_ name: String, _ primaries: RGBSpace) -> DisplayModel {
    var model = DisplayModel(
      name, peak: ReferenceMode.peak, sdrWhite: ReferenceMode.sdrWhite, primaries: primaries, transfer: .pq)
    model.format = .pq
    return model
  }
}

extension RGBSpace {
  /// P3 with the white of print viewing, D50. Source: ISO 3664 for the white, SMPTE RP 431-2 for the primaries.
  static let p3D50 = RGBSpace(
    red: RGBSpace.dciP3.red, green: RGBSpace.dciP3.green, blue: RGBSpace.dciP3.blue,
    white: Chromaticity(x: 0.3457, y: 0.3585))
}
