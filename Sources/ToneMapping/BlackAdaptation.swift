import ColorScience
import Glibc

/// Fits the dark end of a rendition to a screen with a visible black level.
///
/// Light is lifted in PQ so that its black is the screen's, as in BT.2390, which keeps shadow steps distinct; then the
/// light that the screen adds is subtracted, so that the lifted light is what the viewer sees (black-point
/// compensation).
/// Source: ITU-R BT.2390-10, 5.4.1, for the lift.
struct BlackAdaptation: Sendable {
  /// Black of the screen in cd/m², above 0.
  private let black: Double
  private let peak: Double
  private let peakSignal: Double
  /// Black in PQ, relative to the peak in PQ.
  private let lift: Double
  private let exponent: Double

  /// - Parameter isLifted: Whether the light already has the screen's black.
  init?(black: Double, peak: Double, isLifted: Bool) {
    guard black > 0 else { return nil }
    self.black = black
    self.peak = peak
    peakSignal = PQ.inverseEOTF(peak)
    let lift = PQ.inverseEOTF(black) / peakSignal
    self.lift = isLifted ? 0 : lift
    // The standard's 4 would leave less than half the slope at black if that is above an eighth of the scale.
    exponent = min(max(1 / (2 * lift), 1), 4)
  }

  /// Returns the light to send to the display, where its black is 0, for light mapped without regard to its black; both
  /// in cd/m².
  func light(_ nits: Double) -> Double {
    guard nits < peak else { return nits }
    let signal = PQ.inverseEOTF(max(nits, 0)) / peakSignal
    let seen = PQ.eotf((signal + lift * pow(1 - signal, exponent)) * peakSignal)
    return max(seen - black, 0) * peak / (peak - black)
  }
}
