import ConstantColor
import Frames
import Testing

/// What must hold whatever the pictures show.
@Suite struct ConstantColorInvariantTests {
  private static let camera = SimulatedCamera("Nikon D5100")
  private static let scene = SimulatedScene([Spectra.white] + Spectra.reflectances(.colorChecker))
  private static let lamp = SimulatedLight.planckian(3000)
  private static let calibration = Result { try SimulatedColor.calibration(camera, flash: .named("LED-B4")) }

  private static func process(
    _ pair: SimulatedPair, _ settings: (inout ConstantColorSettings) -> Void = { _ in }
  ) throws -> ConstantColorResult {
    let calibration = try calibration.get()
    var all = ConstantColorSettings(
      flash: .calibrated(calibration), registers: false, regions: scene.surfaces.indices.map { scene.area(of: $0) })
    settings(&all)
    return try ConstantColorProcessor(all, pool: ConstancyTrial.pool).process(
      ambient: pair.ambientPicture(), flash: pair.flashPicture())
  }

  /// The largest difference of two pictures' samples within the patches, where both are believed, relative to white.
  private static func difference(_ first: ConstantColorResult, _ second: ConstantColorResult) -> Float {
    var largest: Float = 0
    for area in scene.surfaces.indices.map({ scene.area(of: $0) }) {
      for y in area.y..<area.maxY {
        for x in area.x..<area.maxX where min(first.confidenceMap[x, y], second.confidenceMap[x, y]) >= 0.8 {
          for channel in 0..<3 { largest = max(largest, abs(first.image[channel, x, y] - second.image[channel, x, y])) }
        }
      }
    }
    return largest
  }

  @Test(arguments: [
    SimulatedLight.planckian(2800), .planckian(7500), .planckian(4000, duv: 0.02), .named("FL11"),
    .led("blue LED", at: 460),
  ])
  func ambientLightHasNoInfluence(_ light: SimulatedLight) throws {
    let dark = try Self.process(SimulatedPair(Self.scene, Self.camera.ideal, Self.lamp, lux: 1))
    for lux in [10.0, 200] {
      let lit = try Self.process(SimulatedPair(Self.scene, Self.camera.ideal, light, lux: lux))
      #expect(Self.difference(dark, lit) < 1e-3, "\(light), \(lux) lx")
      #expect(lit.confidenceMap.share(atLeast: 0.8) > (lux < 100 ? 0.9 : 0.1), "\(light), \(lux) lx")
    }
  }

  @Test func exposureRatioHasNoInfluence() throws {
    var pair = SimulatedPair(Self.scene, Self.camera.ideal, Self.lamp, lux: 100)
    let shared = try Self.process(pair)
    pair.exposures = .own
    let own = try Self.process(pair)
    #expect(own.exposureRatio > 2)
    #expect(own.exposureSource == .pictures)
    #expect(Self.difference(shared, own) < 1e-3)
  }

  @Test func confidenceFallsWithTheFlash() throws {
    var last = 1.0
    for lux in [1600.0, 800, 400, 200, 100, 50, 25, 12, 6, 3, 1.5, 0.7] {
      var pair = SimulatedPair(Self.scene, Self.camera, Self.lamp, lux: 200)
      pair.flashLux = lux
      let confidence = try Self.process(pair).constantColorCenterWeightedMeanConfidenceLevel
      #expect(confidence <= last + 1e-3, "\(lux) lx")
      last = confidence
    }
    #expect(last < 0.02)
  }

  @Test func clippedPixelsAreNotBelieved() throws {
    var pair = SimulatedPair(Self.scene, Self.camera, Self.lamp, lux: 100)
    pair.exposureFactor = 1.5
    let (result, flash) = (try Self.process(pair), pair.flashPicture())
    var (clipped, believed) = (0, 0)
    for y in 0..<flash.size.height {
      for x in 0..<flash.size.width where (0..<3).contains(where: { flash[$0, x, y] >= 1 }) {
        clipped += 1
        if result.confidenceMap[x, y] > 0 { believed += 1 }
      }
    }
    #expect(believed == 0)
    #expect(clipped > 200)
    #expect(result.confidenceMap.share(atLeast: 0.8) > 0.7)
  }

  @Test func highlightsAreNotBelieved() throws {
    var pair = SimulatedPair(Self.scene, Self.camera, Self.lamp, lux: 50)
    pair.gloss = { x, y in (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5) < 0.002 ? 2 : 0 }
    let result = try Self.process(pair)
    #expect(result.confidenceMap[Self.scene.size.width / 2, Self.scene.size.height / 2] == 0)
    #expect(result.confidenceMap.share(atLeast: 0.8) > 0.9)
  }

  @Test func whereTheFlashDoesNotReachNothingIsBelieved() throws {
    var pair = SimulatedPair(Self.scene, Self.camera, Self.lamp, lux: 200)
    pair.flashField = { x, _ in x < 0.5 ? 1 : 0.005 }
    let map = try Self.process(pair).confidenceMap
    let half = map.size.width / 2
    #expect(map.mean(of: PictureArea(x: half + 12, y: 0, width: half - 12, height: map.size.height)) < 0.05)
    #expect(map.mean(of: PictureArea(x: 0, y: 0, width: half - 12, height: map.size.height)) > 0.8)
  }

  @Test func shadowsOfTheRoomVanish() throws {
    var pair = SimulatedPair(Self.scene, Self.camera.ideal, Self.lamp, lux: 200)
    let even = try Self.process(pair)
    pair.lamps[0].field = { x, y in x + y < 0.9 ? 1 : 0.15 }
    let shaded = try Self.process(pair)
    #expect(Self.difference(even, shaded) < 1e-3)
  }

  @Test(arguments: [false, true])
  func swappedPicturesAreRefused(_ ownExposures: Bool) throws {
    var pair = SimulatedPair(Self.scene, Self.camera, Self.lamp, lux: 100)
    if ownExposures { pair.exposures = .own }
    let processor = ConstantColorProcessor(
      ConstantColorSettings(flash: .neutral(SIMD3(repeating: 1))), pool: ConstancyTrial.pool)
    do {
      _ = try processor.process(ambient: pair.flashPicture(), flash: pair.ambientPicture())
      Issue.record("swapped pictures were accepted")
    } catch {
      guard case .swapped = error else { throw error }
    }
  }

  /// Twice the light of the room everywhere, in every component.
  @Test func `A longer exposure shows no flash`() throws {
    var pair = SyntheticPair()
    pair.flash = pair.room
    let (ambient, flash) = pair.render()
    let processor = ConstantColorProcessor(pool: ConstancyTrial.pool)
    do {
      _ = try processor.process(ambient: ambient, flash: flash)
      Issue.record("a longer exposure was taken for a flash")
    } catch {
      guard case .sameLight(let factor) = error else { throw error }
      #expect((factor - 2).magnitude < 1e-3)
    }
  }
}
