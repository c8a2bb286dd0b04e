import ColorScience
import ConstantColor
import Frames
import Rendering
import Testing

/// What replaces the light of the flash where it is not known.
@Suite struct FillingTests {
  private static let settings = ConstantColorSettings(flash: .neutral(SIMD3(0.5, 0.6, 0.55)), registers: false)

  private func process(_ pair: SyntheticPair) throws -> ConstantColorResult {
    let (ambient, flash) = pair.render()
    return try ConstantColorProcessor(Self.settings, pool: WorkerPool(count: 2)).process(ambient: ambient, flash: flash)
  }

  /// A grey wall that the flash reaches on the left only: what is filled in has no strange colour, and no seam.
  @Test func beyondTheFlash() throws {
    var pair = SyntheticPair(size: Size(width: 256, height: 64))
    pair.surface = { _, _ in SIMD3(repeating: 0.5) }
    pair.room = { _, _ in SIMD3(0.6, 0.4, 0.2) }
    pair.flash = { x, _ in SIMD3(0.5, 0.6, 0.55) * max(0, 1 - Double(x) / 128) }
    let result = try process(pair)
    #expect(result.confidenceMap[8, 32] == 1 && result.confidenceMap[250, 32] == 0)
    var last = result.image[1, 0, 32]
    for x in 0..<256 {
      let (r, g, b) = (result.image[0, x, 32], result.image[1, x, 32], result.image[2, x, 32])
      #expect(abs(r / g - 1) < 0.06 && abs(b / g - 1) < 0.06, "\(x): \(r) \(g) \(b)")
      #expect(abs(g - last) < 0.03, "a seam at \(x)")
      last = g
    }
  }

  /// Clipped highlights are white, as bright as their surroundings at least, and not believed.
  @Test func clippedHighlights() throws {
    var pair = SyntheticPair()
    pair.surface = { x, y in
      (x - 48) * (x - 48) + (y - 32) * (y - 32) < 36 ? SIMD3(repeating: 20) : SIMD3(0.5, 0.4, 0.3)
    }
    let result = try process(pair)
    #expect(result.confidenceMap[48, 32] == 0)
    let (r, g, b) = (result.image[0, 48, 32], result.image[1, 48, 32], result.image[2, 48, 32])
    #expect(abs(r / g - 1) < 0.02 && abs(b / g - 1) < 0.02)
    #expect(g > result.image[1, 10, 10])
    // Two pixels around it are not believed either, but nothing beyond.
    #expect(result.confidenceMap[48 + 6 + 1, 32] == 0 && result.confidenceMap[48 + 6 + 4, 32] > 0.95)
  }

  /// White balance that changed between the pictures takes light from a channel, which no flash does.
  @Test func changedWhiteBalance() throws {
    var pair = SyntheticPair()
    pair.noise = NoiseModel(shot: SIMD3(repeating: 1e-4), read: SIMD3(repeating: 1e-6))
    pair.flash = { _, _ in SIMD3(0.1, 0.02, -0.03) }
    #expect(try process(pair).confidenceMap.share(atLeast: 0.1) == 0)
  }

  /// Areas of any coordinates are refused, not added up.
  @Test(arguments: [
    PictureArea(x: .max, y: 0, width: 1, height: 1), PictureArea(x: 0, y: 0, width: .max, height: 1),
    PictureArea(x: 90, y: 60, width: 7, height: 4), PictureArea(x: .min, y: -1, width: .max, height: .max),
    PictureArea(x: 0, y: 0, width: 0, height: 1),
  ])
  func regionsOutside(_ area: PictureArea) {
    let (ambient, flash) = SyntheticPair().render()
    let settings = ConstantColorSettings(flash: .temperature(5500), registers: false, regions: [area])
    #expect(throws: ConstantColorError.region(area, picture: flash.size)) {
      _ = try ConstantColorProcessor(settings, pool: WorkerPool(count: 1)).process(ambient: ambient, flash: flash)
    }
  }

  /// Without any flash, the picture is the room's, balanced by its own mean, and nothing of it is believed.
  @Test func noFlash() throws {
    var pair = SyntheticPair()
    pair.flash = { _, _ in .zero }
    pair.surface = { x, y in SIMD3(repeating: 0.3 + 0.3 * Double((x / 16 + y / 16) % 2)) }
    let result = try process(pair)
    #expect(result.constantColorCenterWeightedMeanConfidenceLevel == 0)
    let (r, g, b) = (result.image[0, 20, 20], result.image[1, 20, 20], result.image[2, 20, 20])
    #expect(g > 0 && abs(r / g - 1) < 0.02 && abs(b / g - 1) < 0.02)
  }
}
