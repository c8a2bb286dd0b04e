internal import SIMDShims

/// Weights that resample a line of samples to another length.
///
/// The kernel is the cubic Hermite step between two neighbours, widened to the output sample distance when
/// downsampling. All weights are positive, so nothing rings.
package struct ResamplingFilter: Sendable {
  /// Index of the first contributing sample per result.
  package private(set) var starts: [Int] = []
  /// Weights of the samples from there on, per result, with a sum of 1.
  package private(set) var weights: [[Float]] = []

  /// - Parameters:
  ///   - length: Samples of the source, at least 1; the outermost ones are repeated beyond its ends.
  ///   - count: Samples of the result, at least 1.
  package init(from length: Int, to count: Int) {
    let scale = Double(length) / Double(count)
    let radius = max(scale, 1)
    for index in 0..<count {
      let center = (Double(index) + 0.5) * scale - 0.5
      let (first, last) = (Int((center - radius).rounded(.up)), Int((center + radius).rounded(.down)))
      let start = min(max(first, 0), length - 1)
      var sums = [Double](repeating: 0, count: min(max(last, 0), length - 1) - start + 1)
      for sample in first...last {
        let weight = Self.weight(distance: abs(Double(sample) - center) / radius)
        sums[min(max(sample, 0), length - 1) - start] += weight
      }
      let unused = sums.prefix { $0 == 0 }.count
      let used = sums.dropFirst(unused)
      let total = used.reduce(0, +)
      starts.append(start + unused)
      weights.append(used[...(used.lastIndex { $0 > 0 } ?? used.startIndex)].map { Float($0 / total) })
    }
  }

  /// Returns 1 at distance 0, and 0 from distance 1.
  private static func weight(distance: Double) -> Double {
    // 2d³ - 3d² + 1, in a form that rounding cannot make negative.
    distance < 1 ? (1 - distance) * (1 - distance) * (1 + 2 * distance) : 0
  }
}

/// A resampling filter in the form of the row kernel: sixteen results side by side.
struct RowResampling: Sendable {
  private static let lanes = 16
  private let starts: [UInt32]
  private let weights: [Float]
  private let taps: Int

  /// - Parameter length: Samples of the source.
  init(_ filter: ResamplingFilter, from length: Int) {
    let longest = filter.weights.reduce(1) { max($0, $1.count) }
    let taps = (longest + 3) / 4 * 4
    let vectors = (filter.starts.count + Self.lanes - 1) / Self.lanes
    var starts: [UInt32] = []
    var weights = [Float](repeating: 0, count: vectors * taps * Self.lanes)
    for x in 0..<vectors * Self.lanes {
      let index = min(x, filter.starts.count - 1)
      // Zero weights stay inside the row, or within the margin after it.
      let start = max(min(filter.starts[index], length - longest), 0)
      starts.append(UInt32(start))
      let first = x / Self.lanes * taps * Self.lanes + x % Self.lanes
      for (tap, weight) in filter.weights[index].enumerated() {
        weights[first + (filter.starts[index] - start + tap) * Self.lanes] = weight
      }
    }
    (self.starts, self.weights, self.taps) = (starts, weights, taps)
  }

  /// Calls `body` with the kernel's parameters, which must not escape.
  func withParameters(_ body: (hr_resampling) -> Void) {
    unsafe starts.withUnsafeBufferPointer { starts in
      unsafe weights.withUnsafeBufferPointer { weights in
        guard let starts = starts.baseAddress, let weights = weights.baseAddress else { return }
        unsafe body(hr_resampling(starts: starts, weights: weights, taps: taps))
      }
    }
  }
}
