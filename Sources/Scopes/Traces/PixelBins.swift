internal import Glibc

/// The bins of each pixel along an axis: bins with centres in the pixel, or, if bins are larger than pixels, the bin
/// that contains the pixel's centre.
struct PixelBins {
  /// First bin and number of bins of each pixel; none where the axis extends beyond the bins.
  private(set) var first: [Int] = []
  private(set) var count: [Int] = []
  /// Excess brightness in steps of `CountCode` of pixels with more bins than others, so that uniform counts are
  /// uniformly bright.
  private(set) var offsets: [UInt8] = []
  /// Average bins per pixel, at least 1.
  let density: Double

  /// - Parameters:
  ///   - range: Fractional range of bins that the pixels share, from the first to the last.
  ///   - bins: Number of bins; bins outside the range are shown at the ends.
  init(pixels: Int, range: Range<Double>, bins: Int) {
    let step = (range.upperBound - range.lowerBound) / Double(pixels)
    density = max(step, 1)
    for pixel in 0..<pixels {
      let start = range.lowerBound + Double(pixel) * step
      var (low, high): (Int, Int)
      if step < 1 {
        low = Int((start + step / 2).rounded(.down))
        high = low + 1
      } else {
        (low, high) = (Int((start - 0.5).rounded(.up)), Int((start + step - 0.5).rounded(.up)))
      }
      let more = log2(Double(high - low) / max(step.rounded(.down), 1))
      offsets.append(UInt8((CountCode.stepsPerOctave * max(more, 0)).rounded()))
      if pixel == 0 { low = min(low, 0) }
      if pixel == pixels - 1 { high = max(high, bins) }
      (low, high) = (max(low, 0), min(high, bins))
      first.append(min(low, bins - 1))
      count.append(max(high - low, 0))
    }
  }
}
