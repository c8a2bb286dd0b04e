/// The known colour of the flash and the camera.
public enum FlashLight: Sendable, Hashable {
  /// Correlated colour temperature of the flash in kelvins: on the daylight locus from 4000 K, on the Planckian locus
  /// below.
  case temperature(Double)
  /// R, G and B of a neutral surface in the light of the flash alone, in any unit.
  case neutral(SIMD3<Double>)
  /// A calibration of the camera and the flash.
  case calibrated(ColorCalibration)
}
