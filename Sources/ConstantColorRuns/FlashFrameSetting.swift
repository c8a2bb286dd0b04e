package import Frames
internal import Sessions

/// What a device takes a pair of frames with, as far as it tells.
package struct FlashFrameSetting: Sendable, Hashable {
  /// The exposure of both frames; nil: unknown.
  package var exposure: Exposure?
  /// Intensity of the flash relative to its greatest, from 0 to 1; nil: it has one only, or no program drives it.
  package var intensity: Double?

  /// All that is known.
  package init(exposure: Exposure?, intensity: Double?) { (self.exposure, self.intensity) = (exposure, intensity) }
}
