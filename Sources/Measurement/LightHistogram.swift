internal import Rendering

/// A histogram of light with a bin for every half float: maximum, mean and percentiles are exact except for rounding to
/// half float, 2^-11 of the value.
///
/// The light of a pixel is max(R, G, B), linear, with negative values treated as 0. Merging is order-independent, so
/// results do not depend on the number of workers.
public struct LightHistogram: Sendable, Hashable {
  /// Light in cd/m² of half float 1.
  public let nitsPerUnit: Double
  /// Number of pixels per half-float bit pattern, from 0 to the largest.
  private var bins: [Int]

  /// Creates an empty histogram.
  public init(nitsPerUnit: Double) {
    self.init(nitsPerUnit: nitsPerUnit, bins: [Int](repeating: 0, count: MaxRGBCounts.binCount))
  }

  init(nitsPerUnit: Double, bins: [Int]) {
    self.nitsPerUnit = nitsPerUnit
    self.bins = bins
  }

  /// Counts `count` pixels of `nits` cd/m², rounded to half float; negative values and NaN are treated as 0.
  public mutating func add(_ nits: Double, count: Int = 1) {
    let value = Float16(nits > 0 ? min(nits / nitsPerUnit, Double(Float16.greatestFiniteMagnitude)) : 0)
    bins[Int(value.bitPattern)] += count
  }

  /// Adds the pixels of another histogram of the same unit.
  public mutating func merge(_ other: LightHistogram) {
    precondition(nitsPerUnit == other.nitsPerUnit)
    for level in bins.indices { bins[level] += other.bins[level] }
  }

  /// Removes the `count` darkest pixels, or all if it has fewer.
  public mutating func removeDarkest(_ count: Int) {
    var left = count
    for level in bins.indices where left > 0 {
      let taken = min(left, bins[level])
      bins[level] -= taken
      left -= taken
    }
  }

  /// Number of pixels.
  public var count: Int { bins.reduce(0, +) }

  /// The maximum light of any pixel in cd/m²; 0 without pixels.
  public var maximum: Double { bins.lastIndex { $0 > 0 }.map(nits) ?? 0 }

  /// The sum of the light of all pixels in cd/m², added from dark to bright.
  public var sum: Double {
    bins.indices.reduce(0.0) { sum, level in bins[level] == 0 ? sum : sum + Double(bins[level]) * nits(level) }
  }

  /// The mean light of a pixel in cd/m²; 0 without pixels.
  public var mean: Double { sum / Double(max(count, 1)) }

  /// Returns the minimum light in cd/m² that a percentage of the pixels do not exceed; 0 without pixels.
  /// - Parameter percent: 0...100.
  public func percentile(_ percent: Double) -> Double {
    let needed = max((Double(count) * percent / 100).rounded(.up), 1)
    var seen = 0
    for level in bins.indices {
      seen += bins[level]
      if Double(seen) >= needed { return nits(level) }
    }
    return maximum
  }

  /// Returns the number of pixels above a luminance in cd/m².
  public func count(above nits: Double) -> Int {
    bins.indices.reduce(0) { self.nits($1) > nits ? $0 + bins[$1] : $0 }
  }

  private func nits(_ level: Int) -> Double { Double(Float16(bitPattern: UInt16(level))) * nitsPerUnit }
}
