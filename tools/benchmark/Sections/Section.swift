internal import ArgumentParser

/// A part of the full benchmark.
enum Section: String, CaseIterable, ExpressibleByArgument {
  /// The stages and the whole pixel stage, by tier.
  case stages
  /// Other input and output formats.
  case variants
  /// The perceptual gamut map compared with `compress`.
  case gamuts
  /// Filters, compared with the pixel stage alone.
  case filters
  /// Several outputs from one unpacking.
  case outputs
  /// Counting frames for scopes.
  case scopes
  /// Several workers.
  case threads
  /// FFmpeg's filters, compared with the whole pixel stage.
  case stock
  /// Whole transcodes.
  case process
  /// Frames as pictures and raw buffers.
  case pictures
  /// Test patterns, created and verified.
  case patterns
}
