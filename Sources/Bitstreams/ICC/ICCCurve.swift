internal import Glibc

/// A tone curve of an ICC profile: signal to light, both 0...1.
enum ICCCurve {
  case gamma(Double)
  /// Light at equal steps of the signal from 0 to 1; at least two.
  case table([Double])
  /// Y = (aX + b)^g + e where X >= d, else cX + f.
  case pieces(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)

  /// From the data of a `curv` element; nil if it is truncated. Source: ICC.1:2022, 10.6, curveType.
  init?(table data: [UInt8]) {
    guard data.count >= 4 else { return nil }
    let count = Int(data.word(at: 0))
    guard count <= (data.count - 4) / 2 else { return nil }
    switch count {
    case 0: self = .gamma(1)
    // u8Fixed8Number.
    case 1: self = .gamma(Double(data.halfWord(at: 4)) / 256)
    default: self = .table((0..<count).map { Double(data.halfWord(at: 4 + 2 * $0)) / 65_535 })
    }
  }

  /// From the data of a `para` element; nil if it is truncated or of an unknown form.
  ///
  /// Source: ICC.1:2022, 10.18, parametricCurveType, table 68.
  init?(parametric data: [UInt8]) {
    let counts = [1, 3, 4, 5, 7]
    guard data.count >= 4, case let form = Int(data.halfWord(at: 0)), counts.indices.contains(form),
      data.count >= 4 + 4 * counts[form]
    else { return nil }
    let p = (0..<counts[form]).map { data.fixed(at: 4 + 4 * $0) }
    switch form {
    case 0: self = .gamma(p[0])
    case 1: self = .pieces(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: 0, f: 0)
    case 2: self = .pieces(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: p[3], f: p[3])
    case 3: self = .pieces(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
    default: self = .pieces(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
    }
  }

  /// Light of a signal; NaN if the curve is malformed.
  func light(_ signal: Double) -> Double {
    switch self {
    case .gamma(let gamma): return Self.power(signal, gamma)
    case .table(let values):
      let place = signal * Double(values.count - 1)
      let index = min(Int(place), values.count - 2)
      return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
    case .pieces(let g, let a, let b, let c, let d, let e, let f):
      return signal >= d ? Self.power(a * signal + b, g) + e : c * signal + f
    }
  }

  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
