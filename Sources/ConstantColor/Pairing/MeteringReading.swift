public import Frames

/// The light of a region of interest in a pair that was taken to meter by, relative to what the sensor can take.
public struct MeteringReading: Sendable, Hashable {
  /// The brightest light of the region in the ambient picture, where 1 is clipped: all but a hundredth of its pixels have
  /// less in each channel.
  public var ambient: Double
  /// The same of the picture with the flash.
  public var flash: Double
  /// The flash's share of the region's light in the picture with the flash, from 0 to 1.
  public var flashShare: Double

  /// All that is known.
  public init(ambient: Double, flash: Double, flashShare: Double) {
    (self.ambient, self.flash, self.flashShare) = (ambient, flash, flashShare)
  }

  /// Pixels of a region that are read at most.
  private static let mostPixels = 1 << 16

  /// Reads two pictures of one size and one exposure.
  /// - Parameters:
  ///   - ambient: The picture without the flash.
  ///   - flash: The picture with it.
  ///   - region: The region of interest; what lies outside of the pictures is left out.
  /// - Returns: nil for an empty region, and for pictures that differ in size.
  public init?(ambient: SceneImage, flash: SceneImage, region: PictureArea) {
    let area = region.intersection(PictureArea(flash.size))
    guard ambient.size == flash.size, !area.isEmpty else { return nil }
    var (step, pixels) = (1, (dark: [Float](), lit: [Float]()))
    while (area.width / step + 1) * (area.height / step + 1) > Self.mostPixels { step += 1 }
    var sums = (dark: 0.0, lit: 0.0)
    for y in stride(from: area.y, to: area.maxY, by: step) {
      for x in stride(from: area.x, to: area.maxX, by: step) {
        let (dark, lit) = (ambient.pixel(x, y), flash.pixel(x, y))
        pixels.dark.append((dark / ambient.limit).max())
        pixels.lit.append((lit / flash.limit).max())
        sums.dark += Double(dark.sum())
        sums.lit += Double(lit.sum())
      }
    }
    func brightest(_ values: [Float]) -> Double {
      Double(values.sorted()[min(values.count * 99 / 100, values.count - 1)])
    }
    self.init(
      ambient: brightest(pixels.dark), flash: brightest(pixels.lit),
      flashShare: sums.lit > 0 ? min(max(1 - sums.dark / sums.lit, 0), 1) : 0)
  }
}

extension SceneImage {
  fileprivate func pixel(_ x: Int, _ y: Int) -> SIMD3<Float> { SIMD3(self[0, x, y], self[1, x, y], self[2, x, y]) }

  /// Where channels clip; 1 if that is unknown.
  fileprivate var limit: SIMD3<Float> { description.saturation ?? SIMD3(repeating: 1) }
}
