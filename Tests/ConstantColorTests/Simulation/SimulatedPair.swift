import Frames

/// Two pictures of a scene, with the flash and without.
struct SimulatedPair: Sendable {
  /// How the two pictures are exposed.
  enum Exposures: Sendable { case shared, own }

  let scene: SimulatedScene
  let camera: SimulatedCamera
  var lamps: [SimulatedScene.Lamp]
  var flash = SimulatedLight.named("LED-B4")
  /// Lux of the flash at the subject.
  var flashLux = 400.0
  /// The light of the flash over the frame.
  var flashField: SimulatedScene.Field = { _, _ in 1 }
  /// Light that surfaces reflect like a mirror, relative to white: highlights of the flash.
  var gloss: SimulatedScene.Field = { _, _ in 0 }
  /// Where the ambient picture sees what the flash picture sees at a place, as a displacement in pixels.
  var displacement: (@Sendable (_ x: Double, _ y: Double) -> (x: Double, y: Double))?
  var exposures = Exposures.shared
  /// Exposure of both pictures relative to one in which white fills 0.85 of saturation.
  var exposureFactor = 1.0
  /// What the exposure of the ambient picture really is, relative to what it states.
  var ambientError = 1.0
  var seed: UInt64 = 1

  init(_ scene: SimulatedScene, _ camera: SimulatedCamera, _ light: SimulatedLight, lux: Double) {
    self.init(scene, camera, [SimulatedScene.Lamp(light: light, lux: lux)])
  }

  init(_ scene: SimulatedScene, _ camera: SimulatedCamera, _ lamps: [SimulatedScene.Lamp]) {
    (self.scene, self.camera, self.lamps) = (scene, camera, lamps)
  }

  var flashExposure: Double {
    exposureFactor * camera.exposure(for: lamps.map { ($0.light, lux: $0.lux) } + [(flash, lux: flashLux)])
  }

  var ambientExposure: Double {
    exposures == .shared ? flashExposure : exposureFactor * camera.exposure(for: lamps.map { ($0.light, lux: $0.lux) })
  }

  /// The picture with the flash.
  func flashPicture() -> SceneImage {
    let lit = SimulatedScene.Lamp(light: flash, lux: flashLux, field: flashField)
    let image = SceneImage(size: scene.size, description: description(flashExposure, flashFired: true))
    render(lamps + [lit], exposure: flashExposure, seed: 2 * seed, displaced: false, into: image)
    return image
  }

  /// The picture without it.
  func ambientPicture() -> SceneImage {
    let image = SceneImage(size: scene.size, description: description(ambientExposure, flashFired: false))
    render(lamps, exposure: ambientError * ambientExposure, seed: 2 * seed + 1, displaced: true, into: image)
    return image
  }

  /// The ambient picture, exposed for itself: what the camera would have made without any flash.
  func ambientAlone() -> SceneImage {
    var alone = self
    alone.exposures = .own
    return alone.ambientPicture()
  }

  private func description(_ exposure: Double, flashFired: Bool) -> SceneDescription {
    camera.description(exposure: exposure, flashFired: flashFired)
  }

  private func render(
    _ lamps: [SimulatedScene.Lamp], exposure: Double, seed: UInt64, displaced: Bool, into image: SceneImage
  ) {
    let spectra = scene.surfaces.map(\.spectrum) + [scene.ground]
    let responses = lamps.map { lamp in
      spectra.map { exposure * lamp.lux * camera.response(to: $0, lamp.light) }
    }
    let whites = lamps.map { exposure * $0.lux * camera.response(to: Spectra.white.spectrum, $0.light) }
    var random = Gaussian(seed: seed)
    let (width, height) = (Double(image.size.width), Double(image.size.height))
    for y in 0..<image.size.height {
      for x in 0..<image.size.width {
        let (u, v) = ((Double(x) + 0.5) / width, (Double(y) + 0.5) / height)
        let shine = gloss(u, v)
        var signal = SIMD3<Double>()
        for lamp in lamps.indices {
          let light = reflected(responses[lamp], x, y, displaced: displaced) + shine * whites[lamp]
          signal += lamps[lamp].field(u, v) * light
        }
        for channel in 0..<3 { image[channel, x, y] = camera.sample(signal[channel], noise: random.next()) }
      }
    }
  }

  /// The light of a pixel, of the responses of all surfaces; the last is that of the ground.
  private func reflected(_ responses: [SIMD3<Double>], _ x: Int, _ y: Int, displaced: Bool) -> SIMD3<Double> {
    func response(_ x: Double, _ y: Double) -> SIMD3<Double> {
      responses[scene.surface(x: x, y: y) ?? responses.count - 1]
    }
    let (x, y) = (Double(x), Double(y))
    guard displaced, let displacement else { return response(x + 0.5, y + 0.5) }
    let offset = displacement(x + 0.5, y + 0.5)
    return (0..<16).reduce(SIMD3()) { sum, part in
      let (column, row) = ((Double(part % 4) + 0.5) / 4, (Double(part / 4) + 0.5) / 4)
      return sum + response(x + column + offset.x, y + row + offset.y) / 16
    }
  }
}
