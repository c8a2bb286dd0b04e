import ColorScience
import Foundation
import Frames
import Media
import Testing

import Subtitles

/// What colours of graphics are in the light of an output.
@Suite struct GraphicsLightTests {
  private static func sample(
    _ color: SIMD4<UInt8>, _ light: GraphicsLight, coding: PaletteCoding = .sRGB
  ) throws -> SIMD4<Float> {
    let size = Size(width: 4, height: 4)
    let picture = PalettePicture(size: size, palette: [color]) { _ in [0, 0, 0, 0] }
    let shown = SubtitlePicture(
      start: 0, end: nil, canvas: size, hasSquarePixels: true, coding: coding,
      parts: [SubtitlePicture.Part(x: 0, y: 0, picture)])
    let renderer = try SubtitleRenderer(
      SubtitleTrack(.pictures([shown])), SubtitleGeometry(size: size, storage: size), light)
    return Drawn(try renderer.overlay(at: .at(0))).at(1, 1)
  }

  @Test func whiteIsOne() throws {
    for space in [RGBSpace.bt709, .bt2020, .displayP3, .smpte170M] {
      for gamma in [1, 1.2] {
        let light = GraphicsLight(primaries: space, systemGamma: gamma)
        #expect(try Self.sample(SIMD4(255, 255, 255, 255), light) == SIMD4(1, 1, 1, 1))
      }
    }
  }

  /// The OOTF makes display light of HLG's scene light: that of a colour is to be the light of sRGB.
  @Test func coloursOfHLGAreThoseOfTheDisplay() throws {
    let (gamma, peak) = (HLG.gamma(peak: 1000), 1000.0)
    let light = GraphicsLight(primaries: .bt2020, systemGamma: gamma)
    let white = HLG.inverseOETF(0.75)
    let shownWhite = HLG.ootf(SIMD3(repeating: white), peak: peak, gamma: gamma).x
    #expect(abs(shownWhite - 203) < 0.5)
    for color in [SIMD4<UInt8>(255, 0, 0, 255), SIMD4(10, 200, 90, 255), SIMD4(128, 128, 128, 255)] {
      let sample = try Self.sample(color, light)
      let scene = SIMD3(Double(sample.x), Double(sample.y), Double(sample.z)) * white
      let shown = HLG.ootf(scene, peak: peak, gamma: gamma) / shownWhite
      let linear = SIMD3(color.x, color.y, color.z)
      let rgb = SIMD3((0..<3).map { SRGB.eotf(Double(linear[$0]) / 255) })
      let expected = RGBSpace.conversion(from: .bt709, to: .bt2020) * rgb
      for index in 0..<3 { #expect(abs(shown[index] - expected[index]) < 1e-4, "\(color)") }
    }
  }

  @Test func coverageIsPremultiplied() throws {
    let sample = try Self.sample(SIMD4(255, 255, 255, 51), GraphicsLight(primaries: .bt709))
    #expect(abs(sample.w - 0.2) < 1e-6 && sample.x == sample.w)
  }

  /// Red and blue of 100 % colour bars in narrow range. Sources: ITU-R BT.601-7 and BT.709-6, table 3.
  @Test(arguments: [
    (PaletteCoding.bt601, SIMD4<UInt8>(81, 90, 240, 255), SIMD3<Float>(1, 0, 0)),
    (.bt601, SIMD4(41, 240, 110, 255), SIMD3(0, 0, 1)), (.bt709, SIMD4(63, 102, 240, 255), SIMD3(1, 0, 0)),
    (.bt709, SIMD4(32, 240, 118, 255), SIMD3(0, 0, 1)), (.sRGB, SIMD4(255, 0, 0, 255), SIMD3(1, 0, 0)),
  ])
  func palettesAreDecoded(_ coding: PaletteCoding, _ code: SIMD4<UInt8>, _ expected: SIMD3<Float>) throws {
    let sample = try Self.sample(code, GraphicsLight(primaries: .bt709), coding: coding)
    for index in 0..<3 { #expect(abs(sample[index] - expected[index]) < 0.02) }
  }
}
