import ColorScience
import Foundation

/// A light source of one lux for each unit.
struct SimulatedLight: Sendable, Hashable, CustomStringConvertible {
  let description: String
  /// Power, scaled so that its sum with V(λ) is 1.
  let spectrum: Spectrum

  init(_ name: String, _ spectrum: Spectrum) {
    description = name
    self.spectrum = spectrum * (1 / spectrum.sum(with: Spectra.observer[1]))
  }

  /// One of the tables.
  static func named(_ name: String) -> SimulatedLight {
    SimulatedLight(name, Spectra.lights[name] ?? Spectrum { _ in 0 })
  }

  /// A radiator, tinted by a smooth bump in the green.
  /// - Parameter duv: Distance from the Planckian locus in CIE 1960 u, v: positive is green, negative magenta.
  static func planckian(_ kelvins: Double, duv: Double = 0) -> SimulatedLight {
    let (base, bump) = (Spectrum.planckian(kelvins), Spectrum.peak(at: 545, width: 45))
    func tinted(_ amount: Double) -> Spectrum { base * Spectrum(bump.values.map { exp(amount * $0) }) }
    var (low, high) = (-4.0, 4.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if Self.duv(of: tinted(middle)) < duv { low = middle } else { high = middle }
    }
    let tint = duv == 0 ? "" : duv > 0 ? " green" : " magenta"
    return SimulatedLight("\(Int(kelvins)) K\(tint)", duv == 0 ? base : tinted((low + high) / 2))
  }

  /// An LED of one colour.
  static func led(_ name: String, at wavelength: Double) -> SimulatedLight {
    SimulatedLight(name, .peak(at: wavelength, width: 12))
  }

  /// Signed distance from the Planckian locus. Source: ANSI C78.377-2017 (Duv); CIE 015:2018, 9.4, for u and v.
  static func duv(of spectrum: Spectrum) -> Double {
    let point = uv(spectrum)
    let nearest = locus.min { distance($0, point) < distance($1, point) } ?? point
    return (point.y < nearest.y ? -1 : 1) * distance(point, nearest)
  }

  private static let locus = stride(from: 1500.0, through: 20_000, by: 20).map { uv(.planckian($0)) }

  private static func distance(_ first: SIMD2<Double>, _ second: SIMD2<Double>) -> Double {
    hypot(first.x - second.x, first.y - second.y)
  }

  private static func uv(_ spectrum: Spectrum) -> SIMD2<Double> {
    let (x, y, z) = (
      spectrum.sum(with: Spectra.observer[0]), spectrum.sum(with: Spectra.observer[1]),
      spectrum.sum(with: Spectra.observer[2])
    )
    return SIMD2(4 * x, 6 * y) / (x + 15 * y + 3 * z)
  }
}
