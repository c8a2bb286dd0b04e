/// What is known about the colour of the flash and of the camera.
public enum FlashLight: Sendable, Hashable {
  /// The correlated colour temperature of the flash in kelvins, on the daylight locus from 4000 K and the Planckian locus below.
  case temperature(Double)
  /// R, G and B that a neutral surface gives in the light of the flash alone, in any unit.
  case neutral(SIMD3<Double>)
  /// The camera and the flash were calibrated.
  case calibrated(ColorCalibration)
}
