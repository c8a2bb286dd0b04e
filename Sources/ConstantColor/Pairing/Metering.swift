public import Frames

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
  public static let minimumLight = 0.1
  /// The brightest light that is assumed to be unclipped.
  static let clipping = 0.97
  /// Below this share, the flash is weak.
  static let minimumShare = 0.1
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
      ? .clips : brightest < Self.minimumLight ? .drowns : flashShare < Self.minimumShare ? .flashIsWeak : .fits
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

/// The light of a region of interest in a metering pair, relative to sensor saturation.
public struct MeteringReading: Sendable, Hashable {
  /// The brightest light of the region in the ambient picture, where 1 is clipped: the 99th percentile of the pixels'
  /// brightest channels.
  public var ambient: Double
  /// The brightest light of the region in the flash picture.
  public var flash: Double
  /// The flash's share of the region's light in the flash picture, from 0 to 1.
  public var flashShare: Double

  /// Creates a reading from its values.
  public init(ambient: Double, flash: Double, flashShare: Double) {
    (self.ambient, self.flash, self.flashShare) = (ambient, flash, flashShare)
  }

  /// Reads a capture whose flash clipped most of the picture, so that no pair was found.
  /// - Parameter clippedShares: The share of clipped pixels of each frame, from 0 to 1.
  /// - Returns: nil if no frame is clipped that much.
  public init?(clippedShares: [Double]) {
    guard let maximum = clippedShares.max(), maximum > FlashNeighbourhood.maximumClipped else { return nil }
    let isRoomClipped = clippedShares.allSatisfy { $0 > FlashNeighbourhood.maximumClipped }
    self.init(ambient: isRoomClipped ? 1 : 0, flash: 1, flashShare: isRoomClipped ? 0 : 1)
  }

  /// Maximum number of pixels read per region.
  private static let maximumPixels = 1 << 16

  /// Reads two pictures of equal size and exposure.
  /// - Parameters:
  ///   - ambient: The picture without the flash.
  ///   - flash: The picture with the flash.
  ///   - regions: The regions of interest, read as one; areas outside the pictures are ignored.
  /// - Returns: nil for empty regions, and for pictures of different sizes.
  public init?(ambient: SceneImage, flash: SceneImage, regions: [PictureArea]) {
    let areas = regions.map { $0.intersection(PictureArea(flash.size)) }.filter { !$0.isEmpty }
    guard ambient.size == flash.size, !areas.isEmpty else { return nil }
    // One step for all regions, so that each pixel has the same weight.
    let step = areas.map(Self.step).max() ?? 1
    var pixels = (dark: [Float](), lit: [Float]())
    var sums = (dark: 0.0, lit: 0.0)
    for area in areas {
      for y in stride(from: area.y, to: area.maxY, by: step) {
        for x in stride(from: area.x, to: area.maxX, by: step) {
          let (dark, lit) = (ambient.pixel(x, y), flash.pixel(x, y))
          pixels.dark.append((dark / ambient.limit).max())
          pixels.lit.append((lit / flash.limit).max())
          sums.dark += Double(dark.sum())
          sums.lit += Double(lit.sum())
        }
      }
    }
    func brightest(_ values: [Float]) -> Double {
      Double(values.sorted()[min(values.count * 99 / 100, values.count - 1)])
    }
    self.init(
      ambient: brightest(pixels.dark), flash: brightest(pixels.lit),
      flashShare: sums.lit > 0 ? min(max(1 - sums.dark / sums.lit, 0), 1) : 0)
  }

  private static func step(in area: PictureArea) -> Int {
    var step = 1
    while (area.width / step + 1) * (area.height / step + 1) > maximumPixels { step += 1 }
    return step
  }
}

extension SceneImage {
  /// Saturation of the channels; 1 if unknown.
  fileprivate var limit: SIMD3<Float> { description.saturation ?? SIMD3(repeating: 1) }
}
