internal import Frames
internal import Glibc

/// A polynomial fitted to the logarithm of the light over a frame.
struct LightSurface {
  /// Root mean square deviation of the blocks, as a fraction of the light; spots are excluded.
  let deviation: Double
  private let coefficients: [Double]

  private static let degree = 6
  private static let rounds = 6
  /// Deviations of more robust standard deviations than this are spots.
  ///
  /// Source: Beaton and Tukey (1974): the biweight's constant.
  private static let cutoff = 4.685

  /// - Throws: `CalibrationError.evenPictureRange` if the blocks do not determine a polynomial.
  init(_ blocks: LightBlocks) throws(CalibrationError) {
    let terms = blocks.light.indices.map { index in
      Self.terms(
        x: (Double(index % blocks.size.width) + 0.5) / Double(blocks.size.width),
        y: (Double(index / blocks.size.width) + 0.5) / Double(blocks.size.height))
    }
    let values = blocks.light.map { log($0) }
    var weights = Array(repeating: 1.0, count: values.count)
    var (coefficients, squares): ([Double], Double) = ([], 0)
    for _ in 0..<Self.rounds {
      var equations = NormalEquations(count: terms[0].count)
      for index in values.indices { equations.add(terms[index], values[index], weight: weights[index]) }
      guard let solution = equations.solution() else { throw .evenPictureRange }
      coefficients = solution
      let errors = values.indices.map { values[$0] - Self.value(solution, terms[$0]) }
      squares = zip(errors, weights).reduce(0) { $0 + $1.0 * $1.0 * $1.1 } / weights.reduce(0, +)
      let magnitudes = errors.map(\.magnitude).sorted()
      let limit = max(Self.cutoff * 1.4826 * magnitudes[magnitudes.count / 2], 1e-9)
      weights = errors.map { error in
        let inside = 1 - (error / limit) * (error / limit)
        return inside > 0 ? inside * inside : 0
      }
    }
    self.coefficients = coefficients
    deviation = squares.squareRoot()
  }

  /// Returns the natural logarithm of the light at a position in the frame, both coordinates from 0 to 1.
  func logarithm(x: Double, y: Double) -> Double { Self.value(coefficients, Self.terms(x: x, y: y)) }

  private static func value(_ coefficients: [Double], _ terms: [Double]) -> Double {
    zip(coefficients, terms).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// Returns products of Chebyshev polynomials of both coordinates, which are nearly independent.
  private static func terms(x: Double, y: Double) -> [Double] {
    let (across, down) = (chebyshev(2 * x - 1), chebyshev(2 * y - 1))
    return (0...degree).flatMap { i in (0...degree - i).map { across[i] * down[$0] } }
  }

  private static func chebyshev(_ x: Double) -> [Double] {
    var result = [1, x]
    while result.count <= degree { result.append(2 * x * result[result.count - 1] - result[result.count - 2]) }
    return result
  }
}
