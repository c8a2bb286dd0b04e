import ConstantColor
import Frames
import Rendering
import Synchronization
import TestSupport

/// A chart of surfaces photographed in many rooms, with the flash and without.
struct ConstancyTrial: Sendable {
  /// One surface in one room.
  struct Reading: Sendable {
    let lux: Double
    let surface: Spectra.Reflectance
    let color: RegionColor
    /// The same surface in the ambient picture alone, by two ways of white balance.
    let grayWorld: SIMD3<Double>
    let whitePatch: SIMD3<Double>

    var isBelieved: Bool { color.confidence >= 0.8 }
    /// The difference from the surface in D65.
    var error: Double { CIELAB.deltaE2000(color.lab, SimulatedColor.lab(surface.spectrum)) }
  }

  static let pool = WorkerPool(count: 2)

  /// The ColorChecker and skin of many tones.
  static let surfaces = Spectra.reflectances(.colorChecker, .skin)

  /// They in the rooms of the grid, by camera; made when first asked for.
  static let charts = Dictionary(
    uniqueKeysWithValues: (["Nikon D5100"] + (LongTests.areWanted ? ["Canon EOS 5D Mark II"] : [])).map {
      ($0, Chart(camera: $0))
    })

  /// A trial that several tests look at.
  final class Chart: Sendable {
    private let camera: String
    private let made = Mutex<Result<ConstancyTrial, any Error>?>(nil)

    init(camera: String) { self.camera = camera }

    var value: Result<ConstancyTrial, any Error> {
      made.withLock { made in
        let rooms = LongTests.areWanted ? LightGrid.all : LightGrid.sample
        let result =
          made ?? Result { try ConstancyTrial(ConstancyTrial.surfaces, SimulatedCamera(camera), rooms: rooms) }
        made = result
        return result
      }
    }
  }

  let readings: [Reading]

  /// - Parameters:
  ///   - rooms: The lights.
  ///   - adjust: What is different from an evenly lit pair with shared exposures.
  init(
    _ surfaces: [Spectra.Reflectance], _ camera: SimulatedCamera, rooms: [LightGrid.Room],
    flash: SimulatedLight = .named("LED-B4"), adjust: (inout SimulatedPair) -> Void = { _ in }
  ) throws {
    let scene = SimulatedScene([Spectra.white] + surfaces)
    let calibration = try SimulatedColor.calibration(camera, flash: flash)
    readings = try rooms.enumerated().flatMap { number, room in
      var pair = SimulatedPair(scene, camera, room.light, lux: room.lux)
      pair.flash = flash
      pair.seed = UInt64(number) + 1
      adjust(&pair)
      return try Self.readings(pair, calibration, room)
    }
  }

  private static func readings(
    _ pair: SimulatedPair, _ calibration: ColorCalibration, _ room: LightGrid.Room
  ) throws -> [Reading] {
    let scene = pair.scene
    let areas = scene.surfaces.indices.map { scene.area(of: $0) }
    let result = try ConstantColorProcessor(
      ConstantColorSettings(flash: .calibrated(calibration), regions: areas), pool: pool
    ).process(ambient: pair.ambientPicture(), flash: pair.flashPicture())
    let ambient = pair.ambientAlone()
    let grayWorld = AmbientBalance(ambient, .grayWorld, calibration)
    let whitePatch = AmbientBalance(ambient, .whitePatch(areas[0]), calibration)
    return scene.surfaces.indices.dropFirst().map { index in
      Reading(
        lux: room.lux, surface: scene.surfaces[index], color: result.regions[index],
        grayWorld: grayWorld.lab(of: areas[index]), whitePatch: whitePatch.lab(of: areas[index]))
    }
  }
}
