/// Chooses exposure and flash so that a region of interest neither clips nor drowns.
///
/// The flash is as strong as it can be, because the light of the room is what has to be outshone; then the exposure puts
/// the brightest part of the region below clipping. Gain comes last: it adds no light.
public struct Metering: Sendable, Hashable {
  /// What can be set, relative to what the metering pair was taken with.
  public struct Limits: Sendable, Hashable {
    /// Factors of the exposure time; nil: it cannot be set.
    public var exposure: ClosedRange<Double>?
    /// Factors of the gain; nil: it cannot be set.
    public var gain: ClosedRange<Double>?
    /// Factors of the flash's intensity; nil: it cannot be set.
    public var flash: ClosedRange<Double>?

    /// Nothing can be set by default.
    public init(
      exposure: ClosedRange<Double>? = nil, gain: ClosedRange<Double>? = nil, flash: ClosedRange<Double>? = nil
    ) {
      (self.exposure, self.gain, self.flash) = (exposure, gain, flash)
    }
  }

  /// What there is to say.
  public enum Finding: String, Sendable, Hashable, Codable {
    /// The region will be well exposed.
    case fits
    /// The region was clipped, so its light is unknown: meter again with these settings.
    case metersAgain
    /// The region clips even so: it needs less light, or a smaller aperture.
    case clips
    /// The region is too dark even so: it needs more light, or to be nearer.
    case drowns
    /// The flash adds little to the light of the room: less of that, or a nearer flash, would do.
    case flashIsWeak
  }

  /// Factor of the exposure time.
  public var exposure = 1.0
  /// Factor of the gain.
  public var gain = 1.0
  /// Factor of the flash's intensity.
  public var flash = 1.0
  /// The brightest light of the region with the flash that is expected, where 1 is clipped.
  public var brightest = 0.0
  /// The share of the flash in the light of the region that is expected.
  public var flashShare = 0.0
  /// What there is to say.
  public var finding = Finding.fits

  /// Where the brightest light of the region should be: below 1 for noise, for speculars and for a lamp that flickers.
  public static let target = 0.7
  /// Below this a region drowns in noise.
  public static let leastLight = 0.1
  /// The brightest light that is taken to be unclipped.
  static let clipping = 0.97
  /// Below this share the flash is weak.
  static let leastShare = 0.1
  /// The factor that exposure falls by if the light is unknown.
  static let retreat = 0.25

  /// Settings for the pair after the metering pair.
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
    // Gain is left alone if exposure time has done it, but for rounding.
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

  /// Less light, by what lowers that of the room too if possible.
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
