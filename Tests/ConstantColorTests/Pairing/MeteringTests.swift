import ColorScience
import Frames
import Testing

import ConstantColor

@Suite struct MeteringTests {
  private func reading(_ ambient: Double, _ flash: Double) -> MeteringReading {
    MeteringReading(ambient: ambient, flash: flash, flashShare: (flash - ambient) / flash)
  }

  @Test func exposurePutsTheRegionBelowClipping() {
    let limits = Metering.Limits(exposure: 0.01...10, gain: 0.25...8)
    for flash in [0.08, 0.2, 0.5, 0.9] {
      let metering = Metering(reading(0.03, flash), limits: limits)
      #expect(abs(metering.brightest - Metering.target) < 1e-12 && metering.finding == .fits && metering.gain == 1)
      #expect(abs(metering.exposure * flash - Metering.target) < 1e-12)
    }
  }

  @Test func gainHelpsWhereTimeEnds() {
    let metering = Metering(reading(0.01, 0.05), limits: .init(exposure: 0.5...2, gain: 1...16))
    #expect(metering.exposure == 2 && abs(metering.gain - 7) < 1e-12 && metering.finding == .fits)
    #expect(Metering(reading(0.01, 0.05), limits: .init(exposure: 0.5...1.5)).finding == .drowns)
  }

  @Test func theFlashIsAsStrongAsItCanBe() {
    let strong = Metering(reading(0.1, 0.2), limits: .init(exposure: 0.1...10, flash: 0.1...4))
    #expect(strong.flash == 4 && abs(strong.exposure - 1.4) < 1e-12)
    #expect(abs(strong.flashShare - 0.8) < 1e-12)
    // Unless exposure cannot be lowered.
    let weak = Metering(reading(0.1, 0.9), limits: .init(flash: 0.1...4))
    #expect(abs(weak.flash - 0.75) < 1e-12 && weak.exposure == 1 && weak.finding == .fits)
  }

  @Test func whatCannotBeHelpedIsSaid() {
    #expect(Metering(reading(0.2, 1.1), limits: .init()).finding == .clips)
    #expect(Metering(reading(0.96, 0.9), limits: .init(flash: 0.1...1)).finding == .flashIsWeak)
    #expect(Metering(reading(0.62, 0.65), limits: .init(exposure: 0.1...10)).finding == .flashIsWeak)
    #expect(Metering(reading(0, 0), limits: .init()).finding == .drowns)
    #expect(Metering(reading(0, 0), limits: .init(gain: 1...4)).finding == .metersAgain)
    #expect(Metering(MeteringReading(ambient: .nan, flash: .nan, flashShare: .nan), limits: .init()).finding == .drowns)
  }

  @Test func unknownLightIsMeteredAgain() {
    let clipped = Metering(reading(0.2, 1), limits: .init(exposure: 0.1...1))
    #expect(clipped.finding == .metersAgain && clipped.exposure == 0.25)
    // The flash alone is to blame.
    let flash = Metering(reading(0.2, 1), limits: .init(exposure: 0.5...1, flash: 0.1...1))
    #expect(flash.exposure == 0.5 && flash.flash == 0.5)
    let room = Metering(reading(1, 1), limits: .init(flash: 0.1...1))
    #expect(room.flash == 1 && room.finding == .clips)
  }

  @Test func aRegionIsRead() throws {
    let size = Size(width: 600, height: 400)
    let description = SceneDescription(components: .rgb(.bt709), saturation: SIMD3(0.5, 1, 1))
    let (ambient, flash) = (
      SceneImage(size: size, description: description), SceneImage(size: size, description: description)
    )
    for y in 0..<400 {
      for x in 0..<600 {
        // One column in two hundred is a specular; outside of the region everything is clipped.
        let light: Float = x < 100 ? 9 : x % 200 == 0 ? 2 : 0.2
        (ambient[0, x, y], ambient[1, x, y], ambient[2, x, y]) = (light / 4, light / 4, light / 4)
        (flash[0, x, y], flash[1, x, y], flash[2, x, y]) = (light, light, light)
      }
    }
    let region = PictureArea(x: 100, y: 10, width: 500, height: 1000)
    let reading = try #require(MeteringReading(ambient: ambient, flash: flash, regions: [region]))
    #expect(abs(reading.flash - 0.4) < 1e-6 && abs(reading.ambient - 0.1) < 1e-6)
    #expect(abs(reading.flashShare - 0.75) < 1e-6)
    #expect(
      MeteringReading(ambient: ambient, flash: flash, regions: [PictureArea(x: 600, y: 0, width: 9, height: 9)]) == nil)
    // Two regions are read as one, whatever lies between them.
    let two = [PictureArea(x: 100, y: 10, width: 100, height: 9), PictureArea(x: 40, y: 300, width: 50, height: 9)]
    let both = try #require(MeteringReading(ambient: ambient, flash: flash, regions: two))
    #expect(abs(both.flash - 18) < 1e-5)
  }

  @Test func aFlashThatClipsThePictureIsReadWithoutAPair() throws {
    #expect(MeteringReading(clippedShares: [0, 0.1, 0.4]) == nil && MeteringReading(clippedShares: []) == nil)
    let flash = try #require(MeteringReading(clippedShares: [0, 0.1, 0.9]))
    #expect(flash == MeteringReading(ambient: 0, flash: 1, flashShare: 1))
    let room = try #require(MeteringReading(clippedShares: [0.8, 0.9]))
    #expect(room.ambient == 1 && Metering(room, limits: .init(exposure: 0.1...1)).exposure == 0.25)
  }
}
