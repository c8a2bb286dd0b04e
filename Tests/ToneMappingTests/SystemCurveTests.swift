import ColorScience
import Glibc
import Testing

import ToneMapping

/// The bars of decision 0032 for the shape of the default curve.
struct SystemCurveTests {
  static let peaks: [Double] = [210, 250, 300, 406, 600, 800, 1000, 1500, 2000, 4000, 7000, 10_000]
  static let headrooms: [Double] = [1, 1.2, 1.5, 2, 8.0 / 3, 3, 4, 6, 8, 20]

  /// Slopes in log light at thirtieths of a stop from the shadows to the content's peak.
  private func slopes(_ peak: Double, _ headroom: Double) -> [Double] {
    let end = log2(peak / 203)
    let outputs = stride(from: -60.0, through: end * 30, by: 1).map { step in
      log2(grey(.system, conditions(peak, to: 100 * headroom), 203 * exp2(step / 30)))
    }
    return zip(outputs, outputs.dropFirst()).map { ($1 - $0) * 30 }
  }

  @Test func `Outputs equal Python's`() throws {
    let rows = try vectors("system", "outputs", ReferenceWhiteToneMapTests.Output.self)
    #expect(rows.count > 100)
    for row in rows {
      let found = grey(.system, conditions(row.peak, to: 100 * row.headroom), row.nits) / 100
      #expect(abs(found - row.output) < 1e-10, "\(row)")
    }
  }

  /// No rim around a sun: the slope never rises, and falls by at most 0.15 in a third of a stop; 10 steps.
  @Test(arguments: peaks)
  func `The slope in log light falls smoothly`(peak: Double) {
    for headroom in Self.headrooms where headroom < peak / 203 {
      let slopes = slopes(peak, headroom)
      #expect(slopes.allSatisfy { $0 > 0.1 && $0 < 1 + 1e-9 }, "\(headroom)")
      #expect(zip(slopes, slopes.dropFirst()).allSatisfy { $1 < $0 + 1e-9 }, "\(headroom)")
      if peak >= 600 {
        let steps = zip(slopes, slopes.dropFirst(10)).map { $0 - $1 }
        #expect((steps.max() ?? 0) < 0.15, "\(headroom): \(steps.max() ?? 0)")
      }
    }
  }

  /// White at 0.47 on SDR, and at SDR white from a headroom of 8/3 on, as in ST 2094-50; the content's peak at the display's.
  @Test(arguments: peaks.filter { $0 >= 1000 })
  func `White and peak are where they belong`(peak: Double) {
    #expect(abs(grey(.system, conditions(peak, to: 100), 203) - 47) < 1e-9)
    #expect(abs(grey(.system, conditions(peak, to: 100 * 8 / 3), 203) - 100) < 1e-9)
    for headroom in Self.headrooms where headroom < peak / 203 {
      #expect(abs(grey(.system, conditions(peak, to: 100 * headroom), peak) / 100 - headroom) < 1e-9, "\(headroom)")
    }
  }

  /// A stated reference white or an exposure can put the peak beyond the six stops of ST 2094-50.
  @Test func `Content of a hundred times white ends at the peak`() {
    let display = Display(sdrWhite: 100, peak: 100, primaries: .bt2020)
    let conditions = ToneConditions(contentPeak: 10_000, display: display, referenceWhite: 100)
    #expect(grey(.system, conditions, 6400) < 99 && abs(grey(.system, conditions, 10_000) - 100) < 1e-9)
  }

  /// Content that fits is unchanged, and content that nearly fits nearly so.
  @Test(arguments: headrooms)
  func `Content that fits is unchanged`(headroom: Double) {
    for nits in [0.001, 1, 50, 203, 203 * headroom] where nits <= 203 * headroom {
      let unchanged = nits / 2.03
      #expect(abs(grey(.system, conditions(203 * headroom, to: 100 * headroom), nits) - unchanged) < 1e-9 * unchanged)
      let nearly = grey(.system, conditions(203 * headroom * 1.001, to: 100 * headroom), nits)
      #expect(abs(nearly - unchanged) < 2e-3 * unchanged, "\(nits)")
    }
  }

  /// Neighbouring peaks and headrooms have neighbouring curves.
  @Test func `The curve is continuous over peaks and headrooms`() {
    for peak in stride(from: 205.0, to: 3000, by: 7) {
      for headroom in [1.0, 1.7, 8.0 / 3, 3.5] {
        for nits in [10.0, 203, 400] {
          let here = grey(.system, conditions(peak, to: 100 * headroom), nits)
          let there = grey(.system, conditions(peak * 1.001, to: 100 * headroom * 1.001), nits)
          #expect(abs(there / here - 1) < 4e-3, "\(peak) \(headroom) \(nits)")
        }
      }
    }
  }
}
