import Frames
import Measurement
import Testing

/// Against a sorted list of the same light.
@Suite struct LightHistogramTests {
  /// Light in cd/m² that half floats of 100 cd/m² hold exactly, scattered over ten octaves, some of it often.
  static let light: [Double] = (0..<5000).map { index in
    let scrambled = (index &* 7919) % 4093
    let octave = Double(1 << (scrambled % 11)) / 16
    return scrambled % 7 == 0 ? 0 : octave * (1 + Double(scrambled / 16 % 64) / 64) * 100
  }

  private func histogram(_ light: some Sequence<Double>) -> LightHistogram {
    var result = LightHistogram(nitsPerUnit: 100)
    for nits in light { result.add(nits) }
    return result
  }

  @Test func maximumMeanAndShare() {
    let histogram = histogram(Self.light)
    #expect(histogram.count == 5000)
    #expect(histogram.maximum == Self.light.max())
    #expect((histogram.mean - Self.light.reduce(0, +) / 5000).magnitude < 1e-9)
    for nits in [0, 6.25, 100, 203, 6000.0] {
      #expect(histogram.count(above: nits) == Self.light.count { $0 > nits })
    }
  }

  /// The definition by nearest rank.
  @Test(arguments: [0, 1, 33.3, 50, 90, 99, 99.9, 99.99, 100])
  func percentile(_ percent: Double) {
    let sorted = Self.light.sorted()
    let rank = max(Int((5000 * percent / 100).rounded(.up)), 1)
    #expect(histogram(Self.light).percentile(percent) == sorted[rank - 1])
  }

  @Test func partsAddUp() {
    var sum = histogram(Self.light.suffix(from: 3100))
    sum.merge(histogram(Self.light.prefix(1000)))
    sum.merge(histogram(Self.light[1000..<3100]))
    #expect(sum == histogram(Self.light))
  }

  @Test func theDarkestLeave() {
    var histogram = histogram(Self.light)
    histogram.removeDarkest(1234)
    #expect(histogram == self.histogram(Self.light.sorted().dropFirst(1234)))
    histogram.removeDarkest(1_000_000)
    #expect(histogram == LightHistogram(nitsPerUnit: 100))
  }

  @Test func nothingAndNonsense() {
    var histogram = LightHistogram(nitsPerUnit: 100)
    #expect(histogram.maximum == 0 && histogram.mean == 0 && histogram.percentile(50) == 0)
    #expect(histogram.count(above: 0) == 0)
    for nits in [-Double.infinity, -1, .nan, 0] { histogram.add(nits) }
    #expect(histogram.count == 4 && histogram.maximum == 0)
    histogram.add(.infinity)
    #expect(histogram.maximum == 6_550_400)
  }

  /// Metadata is not below the light that it is about, and does not leave its range.
  @Test(arguments: [
    (0, 0), (1e-7, 0), (0.01, 1), (1000, 1000), (1000.0000001, 1000), (1000.2, 1001), (9999.5, 10_000),
    (1e9, 10_000), (.nan, 0), (-5, 0),
  ])
  func contentLight(_ nits: Double, _ whole: UInt16) {
    #expect(ContentLight(roundingUp: nits, maxFALL: 1) == ContentLight(maxCLL: whole, maxFALL: 1))
    #expect(ContentLight(roundingUp: 1, maxFALL: nits) == ContentLight(maxCLL: 1, maxFALL: whole))
  }
}
