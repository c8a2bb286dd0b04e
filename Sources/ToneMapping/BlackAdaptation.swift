import ColorScience
import Glibc

/// Fits the dark end of a rendition to a screen whose black is seen at some luminance.
///
/// Light is lifted in PQ so that its black is the screen's, as BT.2390 does it, which keeps the steps in the shadows apart; and what the
/// screen adds to all light is taken off again, so that the lifted light is what is seen (black-point compensation).
/// Source: ITU-R BT.2390-10, 5.4.1, for the lift.
struct BlackAdaptation: Sendable {
  /// Black of the screen in cd/m², above 0.
  private let black: Double
  private let peak: Double
  private let peakSignal: Double
  /// Black in PQ, relative to that of the peak.
  private let lift: Double
  private let exponent: Double

  /// - Parameter isLifted: The light has the screen's black already.
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

  /// The light that the display is asked for, where its black is 0, for light without regard to its black; both in cd/m².
  func light(_ nits: Double) -> Double {
    guard nits < peak else { return nits }
    let signal = PQ.inverseEOTF(max(nits, 0)) / peakSignal
    let seen = PQ.eotf((signal + lift * pow(1 - signal, exponent)) * peakSignal)
    return max(seen - black, 0) * peak / (peak - black)
  }
}
