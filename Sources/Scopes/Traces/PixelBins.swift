internal import Glibc

/// Which bins each pixel along an axis shows: those whose middles lie in it, or where bins are larger than pixels, the
/// one that the pixel's middle lies in.
struct PixelBins {
  /// The first bin and the number of bins of each pixel; none where the axis goes beyond the bins.
  private(set) var first: [Int] = []
  private(set) var count: [Int] = []
  /// In steps of `CountCode`: how much more a pixel shows because it has more bins than others, so that even counts are
  /// of even brightness.
  private(set) var offsets: [UInt8] = []
  /// Bins per pixel on average, 1 at least.
  let density: Double

  /// - Parameters:
  ///   - range: Bins, and parts of them, that the pixels share from the first to the last.
  ///   - bins: All bins there are; those outside of the range are shown at the ends.
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
