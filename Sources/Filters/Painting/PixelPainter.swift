internal import Rendering

/// The part of a filter that chooses, from the content's light, how each pixel is painted after the mapping.
protocol PixelPainter: Sendable {
  var palette: Palette { get }

  /// Returns the code of a pixel.
  /// - Parameter rgb: Linear components of the content in band units.
  func code(_ rgb: SIMD3<Double>) -> Int

  /// Computes the codes of a row.
  /// - Parameter levels: A scratch row.
  @unsafe
  func encode(
    _ row: LinearBand.Row, width: Int, tier: KernelTier, levels: UnsafeMutablePointer<UInt16>,
    to codes: UnsafeMutablePointer<UInt16>)
}
