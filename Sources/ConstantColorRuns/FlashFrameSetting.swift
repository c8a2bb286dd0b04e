package import Frames
internal import Sessions

/// Settings with which a device takes a pair of frames, as far as it reports them.
package struct FlashFrameSetting: Sendable, Hashable {
  /// The exposure of both frames; nil: unknown.
  package var exposure: Exposure?
  /// Flash intensity relative to the maximum, from 0 to 1; nil: fixed, or not driven by software.
  package var intensity: Double?

  /// Settings from an exposure and a flash intensity.
  package init(exposure: Exposure?, intensity: Double?) { (self.exposure, self.intensity) = (exposure, intensity) }
}
