import ColorScience
import Frames

/// The sensor of a phone: spectral sensitivities, shot and read noise, saturation, quantization.
struct SimulatedCamera: Sendable {
  let name: String
  let sensitivities: [Spectrum]
  /// Electrons of a sample at saturation.
  var fullWell = 5000.0
  /// Standard deviation of a sample without light, in electrons.
  var readNoise = 3.0
  /// Steps of the converter from black to saturation; nil: samples are not rounded.
  var steps: Double? = 4095
  /// Noise and rounding are left out, and so is saturation.
  var isIdeal = false
  /// The description of its pictures states the noise.
  var statesNoise = true

  init(_ name: String) {
    self.name = name
    sensitivities = Spectra.cameras[name] ?? []
  }

  /// The same sensor without noise, rounding and saturation.
  var ideal: SimulatedCamera {
    var result = self
    result.isIdeal = true
    return result
  }

  /// R, G, B of a surface in one lux of a light, in an arbitrary unit.
  func response(to reflectance: Spectrum, _ light: SimulatedLight) -> SIMD3<Double> {
    let reflected = reflectance * light.spectrum
    return SIMD3(sensitivities.map { $0.sum(with: reflected) })
  }

  /// The share of saturation that white reaches in pictures.
  static let fill = 0.85

  /// The exposure, in saturations for a unit of `response`, at which white fills 0.85 of the full well.
  func exposure(for lights: [(SimulatedLight, lux: Double)]) -> Double {
    let white = lights.reduce(SIMD3<Double>()) { $0 + $1.lux * response(to: Spectra.white.spectrum, $1.0) }
    return Self.fill / white.max()
  }

  /// What a picture's samples mean.
  func description(exposure: Double, flashFired: Bool) -> SceneDescription {
    let quantum = isIdeal ? 0 : 1 / (steps ?? .infinity)
    var result = SceneDescription(
      components: .camera(name: name, toXYZ: nil), saturation: isIdeal ? nil : SIMD3(repeating: 1),
      quantum: Float(quantum),
      exposure: Exposure(seconds: exposure, fNumber: 1.8, sensitivity: 100, flashFired: flashFired))
    if statesNoise && !isIdeal {
      let read = readNoise * readNoise / (fullWell * fullWell) + quantum * quantum / 12
      result.noise = NoiseModel(shot: SIMD3(repeating: 1 / fullWell), read: SIMD3(repeating: read))
    }
    return result
  }

  /// The sample of a mean signal, both in saturations.
  func sample(_ signal: Double, noise: Double) -> Float {
    if isIdeal { return Float(signal) }
    let deviation = (signal * fullWell + readNoise * readNoise).squareRoot() / fullWell
    let noisy = min(signal + noise * deviation, 1)
    guard let steps else { return Float(noisy) }
    return Float((noisy * steps).rounded() / steps)
  }
}
