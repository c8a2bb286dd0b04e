import ConstantColor
import ConstantColorRuns
import Frames
import Rendering
import Sessions
import Synchronization
import Testing

/// A device is metered: the pair is taken again with other settings if that shows the region of interest better.
@Suite struct ConstantColorMeteringTests {
  private let pool = WorkerPool(count: 1)
  private static let subject = PictureArea(x: 64, y: 32, width: 32, height: 32)

  /// A pattern of greys whose lightest is 1, with a subject in its middle.
  /// - Parameters:
  ///   - subject: Light of the room and the flash on the subject.
  ///   - others: On the lightest grey elsewhere.
  private static func scene(
    subject: SIMD2<Double>, others: SIMD2<Double> = SIMD2(0.03, 0.3)
  ) -> @Sendable (Int, Int) -> SIMD2<Double> {
    { x, y in
      let grey = 0.3 + 0.1 * Double((x / 16 * 7 + y / 16 * 5) % 8)
      let area = Self.subject
      let isSubject = (area.x..<area.maxX).contains(x) && (area.y..<area.maxY).contains(y)
      return isSubject ? subject : grey * others
    }
  }

  /// Feeds a sink until it ends reading.
  private func run(
    _ flash: FakeFlash, regions: [PictureArea] = [Self.subject], orientation: Orientation = .identity,
    timeout: Double = 6
  ) throws -> FlashFrameSink {
    let isOver = Mutex(false)
    let first = flash.frame(0)
    let sink = FlashFrameSink(
      Session(), FlashFrameSink.Scene(name: "camera", orientation: orientation, regions: regions),
      InputRequest("camera"), .automatic, first: first.format, flash, timeout: timeout, pool: pool
    ) { isOver.withLock { $0 = true } }
    for number in 0..<400 where !isOver.withLock({ $0 }) { try sink.write(flash.frame(number)) }
    #expect(isOver.withLock { $0 })
    // What was on its way is not looked at.
    let count = sink.count
    try sink.write(flash.frame(400))
    #expect(sink.count == count)
    return sink
  }

  private func seconds(_ pair: FlashFrames) -> Double { pair.setting?.exposure?.seconds ?? .nan }

  @Test func aBrightRegionGetsAShorterExposure() throws {
    let flash = FakeFlash(exposures: 0.01...4, light: Self.scene(subject: SIMD2(0.1, 0.8)))
    let sink = try run(flash)
    let pair = try #require(try sink.finish())
    #expect(flash.begun.count == 1 && abs(flash.begun[0].x - 0.7 / 0.9) < 1e-3 && flash.begun[0].y == 1)
    #expect(pair.pair.ambient > 20 && pair.pair.flash > 20)
    #expect(abs(seconds(pair) - 0.01 * 0.7 / 0.9) < 1e-5)
    let setting = try #require(pair.setting)
    #expect(sink.metered == FlashFrameMetering.Result(setting: setting, finding: .fits))
    let images = try pair.sceneImages(pool: pool)
    #expect(abs(images.flash[1, 70, 40] - 0.7) < 1e-3 && images.flash.description.exposure == pair.setting?.exposure)
    #expect(abs(images.ambient[1, 70, 40] - 0.0778) < 1e-3)
  }

  @Test func aRegionThatFitsKeepsTheFirstPair() throws {
    let flash = FakeFlash(exposures: 0.01...4, intensities: 0.1...1, light: Self.scene(subject: SIMD2(0.1, 0.58)))
    let sink = try run(flash)
    let pair = try #require(try sink.finish())
    #expect(flash.begun.isEmpty && seconds(pair) == 0.01 && pair.setting?.intensity == 1)
    #expect(sink.metered?.finding == .fits && sink.count < 28)
  }

  @Test func withoutControlsItIsOnlySaid() throws {
    for (subject, finding) in [
      (SIMD2(0.1, 1.2), Metering.Finding.clips), (SIMD2(0.01, 0.05), .drowns), (SIMD2(0.6, 0.03), .flashIsWeak),
      (SIMD2(0.1, 0.3), .fits),
    ] {
      let flash = FakeFlash(light: Self.scene(subject: subject))
      let sink = try run(flash)
      #expect(try sink.finish() != nil && flash.begun.isEmpty && sink.metered?.finding == finding)
    }
  }

  /// With a lamp that is switched by hand, the first pair is kept.
  @Test func aLampGivesOnePair() throws {
    let flash = FakeFlash(exposures: 0.01...4, isDriven: false, light: Self.scene(subject: SIMD2(0.1, 1.2)))
    let sink = try run(flash)
    #expect(try sink.finish() != nil && flash.begun.isEmpty && sink.metered?.finding == .clips)
  }

  @Test func aClippedRegionIsMeteredAgain() throws {
    let flash = FakeFlash(exposures: 0.01...4, light: Self.scene(subject: SIMD2(0.1, 1.5)))
    let sink = try run(flash)
    let pair = try #require(try sink.finish())
    // First by guess, then by what that showed.
    #expect(flash.begun.count == 2 && flash.begun[0].x == 0.25 && abs(flash.begun[1].x - 0.7 / 0.4) < 0.01)
    #expect(abs(seconds(pair) - 0.01 * 0.7 / 1.6) < 1e-4 && sink.metered?.finding == .fits)
  }

  @Test func threePairsAreTheMost() throws {
    // Another scene than a camera's: it always clips.
    let flash = FakeFlash(exposures: 0.001...4, light: Self.scene(subject: SIMD2(0.1, 90)))
    let sink = try run(flash)
    #expect(try sink.finish() != nil && flash.begun.count == 2 && sink.metered?.finding == .clips)
  }

  /// The whole picture clips: there is no pair to meter by.
  @Test func aFlashThatHidesEverythingIsWeakened() throws {
    let light = Self.scene(subject: SIMD2(0.1, 6), others: SIMD2(0.1, 6))
    let flash = FakeFlash(exposures: 0.01...4, light: light)
    let sink = try run(flash)
    let pair = try #require(try sink.finish())
    #expect(flash.begun.first?.x == 0.25 && seconds(pair) < 0.01 && sink.metered?.finding == .fits)
    // Without controls it is said, and there is none.
    let bare = FakeFlash(light: light)
    let failed = try run(bare)
    #expect(try failed.finish() == nil && failed.metered?.finding == .clips)
  }

  @Test func theFlashIsSetWhereExposureIsNot() throws {
    let flash = FakeFlash(intensities: 0.1...1, light: Self.scene(subject: SIMD2(0.1, 0.8)))
    let sink = try run(flash)
    let pair = try #require(try sink.finish())
    #expect(flash.begun.count == 1 && abs((pair.setting?.intensity ?? 0) - 0.75) < 1e-3)
    #expect(seconds(pair) == 0.01 && sink.metered?.finding == .fits)
  }

  /// What lies outside of the regions has no say; without regions, all has.
  @Test func regionsAreTakenTogether() throws {
    let light = Self.scene(subject: SIMD2(0.1, 0.58), others: SIMD2(0.1, 1.2))
    let inside = FakeFlash(exposures: 0.01...4, light: light)
    _ = try run(inside)
    #expect(inside.begun.isEmpty)
    for regions in [[], [Self.subject, PictureArea(x: 0, y: 0, width: 48, height: 48)]] {
      let flash = FakeFlash(exposures: 0.01...4, light: light)
      _ = try run(flash, regions: regions)
      #expect(flash.begun.first?.x == 0.25)
    }
  }

  @Test func regionsAreThoseOfUprightPictures() throws {
    // A subject that is off the middle on the sensor.
    let light: @Sendable (Int, Int) -> SIMD2<Double> = { x, y in
      let grey = 0.3 + 0.1 * Double((x / 16 * 7 + y / 16 * 5) % 8)
      return x < 32 && y < 32 ? SIMD2(0.1, 0.58) : grey * SIMD2(0.05, 0.3)
    }
    for orientation in Orientation.allCases {
      let size = orientation.swapsAxes ? Size(width: 96, height: 160) : FakeFlash.size
      let places = [0, size.width - 32].flatMap { x in [0, size.height - 32].map { (x, $0) } }
      let place = try #require(
        places.first { place in
          let source = orientation.source(x: place.0 + 16, y: place.1 + 16, in: FakeFlash.size)
          return source.x < 32 && source.y < 32
        })
      let flash = FakeFlash(exposures: 0.01...4, light: light)
      let region = PictureArea(x: place.0, y: place.1, width: 32, height: 32)
      _ = try run(flash, regions: [region], orientation: orientation)
      #expect(flash.begun.isEmpty)
    }
  }

  /// The second pair is worse than the first, because the device does not do what it says.
  @Test func aPairThatFitsIsNotGivenUp() {
    var metering = FlashFrameMetering()
    let (first, second) = (
      FlashFrameSetting(exposure: Exposure(seconds: 0.01), intensity: nil),
      FlashFrameSetting(exposure: Exposure(seconds: 0.02), intensity: nil)
    )
    func reading(_ flash: Double) -> MeteringReading { MeteringReading(ambient: 0.01, flash: flash, flashShare: 0.9) }
    #expect(metering.add(reading(0.3), first) && !metering.add(reading(1), second))
    #expect(metering.result == FlashFrameMetering.Result(setting: first, finding: .fits))
    #expect(metering.add(reading(0.6), second) && metering.result?.setting == second)
  }
}
