/// Counts frame latencies, in bins of a tenth of a millisecond.
struct LatencyTally {
  private static let unit = Duration.microseconds(100)
  /// The last bin also counts all longer latencies.
  private static let binCount = 20_000

  private var bins: [UInt32] = []
  private var total = 0
  private var last = Duration.zero
  private var largest = Duration.zero

  mutating func count(_ latency: Duration) {
    if bins.isEmpty { bins = Array(repeating: 0, count: Self.binCount) }
    bins[min(max(Int(latency / Self.unit), 0), Self.binCount - 1)] += 1
    (last, total) = (latency, total + 1)
    largest = max(largest, latency)
  }

  /// nil if nothing was counted.
  var latency: StreamPipeline.Latency? {
    guard total > 0 else { return nil }
    return StreamPipeline.Latency(
      last: last, largest: largest, median: percentile(0.5), percentile99: percentile(0.99))
  }

  /// Returns the upper end of the bin in which the share is reached.
  private func percentile(_ share: Double) -> Duration {
    var left = Int((share * Double(total)).rounded(.up))
    for (bin, count) in bins.enumerated() {
      left -= Int(count)
      if left <= 0 { return bin == Self.binCount - 1 ? largest : min(Self.unit * (bin + 1), largest) }
    }
    return largest
  }
}
