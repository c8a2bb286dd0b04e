internal import ArgumentParser

/// A part of the full benchmark.
enum Section: String, CaseIterable, ExpressibleByArgument {
  /// Stages and the whole pixel stage, tier by tier.
  case stages
  /// Other formats in and out.
  case variants
  /// The perceptual gamut map beside `compress`.
  case gamuts
  /// Filters, beside the pixel stage without.
  case filters
  /// Several outputs of one unpacking.
  case outputs
  /// Frames counted for scopes.
  case scopes
  /// More workers.
  case threads
  /// FFmpeg's filters, and the whole pixel stage beside them.
  case stock
  /// Whole transcodes.
  case process
  /// Frames as pictures and raw buffers.
  case pictures
  /// Test patterns, made and verified.
  case patterns
}
