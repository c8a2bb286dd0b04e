/// Chooses exposure and flash so that a region of interest is neither clipped nor lost in noise.
///
/// The flash is set as strong as possible, to outshine the ambient light; then the exposure puts the brightest part of
/// the region below clipping. Gain comes last: it adds no light.
public struct Metering: Sendable, Hashable {
  /// Adjustable ranges, relative to the settings of the metering pair.
  public struct Limits: Sendable, Hashable {
    /// Factors of the exposure time; nil: not adjustable.
    public var exposure: ClosedRange<Double>?
    /// Factors of the gain; nil: not adjustable.
    public var gain: ClosedRange<Double>?
    /// Factors of the flash intensity; nil: not adjustable.
    public var flash: ClosedRange<Double>?

    /// Creates limits; by default, nothing is adjustable.
    public init(
      exposure: ClosedRange<Double>? = nil, gain: ClosedRange<Double>? = nil, flash: ClosedRange<Double>? = nil
    ) {
      (self.exposure, self.gain, self.flash) = (exposure, gain, flash)
    }
  }

  /// The outcome of metering.
  public enum Finding: String, Sendable, Hashable, Codable {
    /// The region will be well exposed.
    case fits
    /// The region was clipped, so its light is unknown: meter again with these settings.
    case metersAgain
    /// The region still clips: reduce the light, or stop down.
    case clips
    /// The region is still too dark: add light, or move closer.
    case drowns
    /// The flash adds little to the ambient light: reduce the ambient light, or move the flash closer.
    case flashIsWeak
  }

  /// Factor of the exposure time.
  public var exposure = 1.0
  /// Factor of the gain.
  public var gain = 1.0
  /// Factor of the flash intensity.
  public var flash = 1.0
  /// Expected brightest light of the region with the flash, where 1 is clipped.
  public var brightest = 0.0
  /// Expected share of the flash in the light of the region.
  public var flashShare = 0.0
  /// The outcome.
  public var finding = Finding.fits

  /// Target for the brightest light of the region: below 1, to allow for noise, speculars and flicker.
  public static let target = 0.7
  /// Below this, a region is lost in noise.
  public static let leastLight = 0.1
  /// The brightest light that is assumed to be unclipped.
  static let clipping = 0.97
  /// Below this share, the flash is weak.
  static let leastShare = 0.1
  /// Factor applied to the exposure if the light is unknown.
  static let retreat = 0.25

  /// Computes settings for the pair that follows the metering pair.
  public init(_ reading: MeteringReading, limits: Limits) {
    guard reading.flash.isFinite, reading.flash > 0 else {
      (exposure, gain, flash) = (
        limits.exposure?.upperBound ?? 1, limits.gain?.upperBound ?? 1, limits.flash?.upperBound ?? 1
      )
      finding = exposure * gain * flash > 1 ? .metersAgain : .drowns
      return
    }
    guard reading.flash < Self.clipping else {
      retreat(from: reading, limits)
      return
    }
    let added = max(reading.flash - reading.ambient, 0)
    func light() -> Double { (reading.ambient + flash * added) * exposure * gain }
    flash = limits.flash?.upperBound ?? 1
    exposure = Self.limited(Self.target / light(), limits.exposure)
    let missing = Self.target / light()
    // Gain stays unchanged if exposure time suffices, except for rounding.
    if abs(missing - 1) > 1e-9 { gain = Self.limited(missing, limits.gain) }
    if light() > Self.target, added > 0, let range = limits.flash {
      flash = Self.limited((Self.target / (exposure * gain) - reading.ambient) / added, range)
    }
    brightest = light()
    let (lamp, room) = (flash * reading.flashShare, 1 - reading.flashShare)
    flashShare = lamp + room > 0 ? lamp / (lamp + room) : 0
    finding =
      brightest >= Self.clipping
      ? .clips : brightest < Self.leastLight ? .drowns : flashShare < Self.leastShare ? .flashIsWeak : .fits
  }

  /// Reduces the light, preferably by settings that also reduce the ambient light.
  private mutating func retreat(from reading: MeteringReading, _ limits: Limits) {
    gain = Self.limited(Self.retreat, limits.gain)
    exposure = Self.limited(Self.retreat / gain, limits.exposure)
    if reading.ambient < Self.clipping { flash = Self.limited(Self.retreat / (gain * exposure), limits.flash) }
    (brightest, flashShare) = (reading.flash, reading.flashShare)
    finding = gain * exposure * flash < 1 ? .metersAgain : .clips
  }

  private static func limited(_ factor: Double, _ range: ClosedRange<Double>?) -> Double {
    guard let range else { return 1 }
    return min(max(factor, range.lowerBound), range.upperBound)
  }
}
