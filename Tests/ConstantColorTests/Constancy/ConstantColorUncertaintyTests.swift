import ConstantColor
import Foundation
import Frames
import TestSupport
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

  @Test(arguments: LongTests.areWanted ? [10.0, 200, 800] : [200])
  func uncertaintyIsTheScatter(_ lux: Double) throws {
    let surfaces = Spectra.reflectances(.colorChecker)
    let room = LightGrid.Room(light: .planckian(4000), lux: lux)
    let trial = try ConstancyTrial(
      surfaces, SimulatedCamera("Nikon D5100"), rooms: Array(repeating: room, count: Self.quantiles.count)
    ) { $0.ambientError = 1 + 0.01 * Self.quantiles[Int($0.seed) - 1] }
    let captures = Dictionary(grouping: trial.readings, by: \.surface)
    var (stated, real) = (SIMD3<Double>(), SIMD3<Double>())
    for readings in captures.values {
      var spread = ColorSpread()
      for reading in readings { spread.add(reading.color.lab) }
      stated += readings.reduce(SIMD3()) { $0 + $1.color.uncertainty * $1.color.uncertainty } / Double(readings.count)
      real += spread.variances
    }
    let ratio = (0..<3).map { (stated[$0] / real[$0]).squareRoot() }
    if ConstancyTable.isWanted { print(lux, "lx: stated uncertainty over scatter of L*, a*, b*:", ratio) }
    for value in ratio { #expect(0.75...1.25 ~= value, "\(ratio)") }
  }
}
