public import Frames

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
    guard let most = clippedShares.max(), most > FlashNeighbourhood.mostClipped else { return nil }
    let isRoomClipped = clippedShares.allSatisfy { $0 > FlashNeighbourhood.mostClipped }
    self.init(ambient: isRoomClipped ? 1 : 0, flash: 1, flashShare: isRoomClipped ? 0 : 1)
  }

  /// Maximum number of pixels read per region.
  private static let mostPixels = 1 << 16

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
    while (area.width / step + 1) * (area.height / step + 1) > mostPixels { step += 1 }
    return step
  }
}

extension SceneImage {
  fileprivate func pixel(_ x: Int, _ y: Int) -> SIMD3<Float> { SIMD3(self[0, x, y], self[1, x, y], self[2, x, y]) }

  /// Saturation of the channels; 1 if unknown.
  fileprivate var limit: SIMD3<Float> { description.saturation ?? SIMD3(repeating: 1) }
}
