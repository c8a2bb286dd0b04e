import ConstantColor
import Foundation
import Frames
import Testing

/// What regions state of their uncertainty against what repeated captures scatter by.
@Suite struct ConstantColorUncertaintyTests {
  /// Quantiles of a normal distribution of variance 1: 30 exposures whose scatter is known exactly.
  private static let quantiles: [Double] = {
    let raw = (0..<30).map { index in
      let p = (Double(index) + 0.5) / 30
      // Source: Tukey (1960), the lambda distribution that approximates the normal one.
      return (pow(p, 0.135) - pow(1 - p, 0.135)) / 0.1975
    }
    let variance = raw.reduce(0) { $0 + $1 * $1 } / 29
    return raw.map { $0 / variance.squareRoot() }
  }()

  @Test(arguments: [10.0, 200, 800])
  func uncertaintyIsTheScatter(_ lux: Double) throws {
    let camera = SimulatedCamera("Nikon D5100")
    let surfaces = Spectra.reflectances(.colorChecker)
    var readings: [[RegionColor]] = []
    for (number, quantile) in Self.quantiles.enumerated() {
      let trial = try ConstancyTrial(
        surfaces, camera, rooms: [LightGrid.Room(light: .planckian(4000), lux: lux)]
      ) { pair in
        pair.seed = UInt64(7 * number % 30 + 100)
        pair.ambientError = 1 + 0.01 * quantile
      }
      readings.append(trial.readings.map(\.color))
    }
    var (stated, real) = (SIMD3<Double>(), SIMD3<Double>())
    for index in surfaces.indices {
      var spread = ColorSpread()
      for capture in readings { spread.add(capture[index].lab) }
      let uncertainty = readings.reduce(SIMD3()) { $0 + $1[index].uncertainty * $1[index].uncertainty } / 30
      stated += uncertainty
      real += spread.variances
    }
    let ratio = (0..<3).map { (stated[$0] / real[$0]).squareRoot() }
    if ConstancyTable.isWanted { print(lux, "lx: stated uncertainty over scatter of L*, a*, b*:", ratio) }
    for value in ratio { #expect(0.75...1.25 ~= value, "\(ratio)") }
  }
}
