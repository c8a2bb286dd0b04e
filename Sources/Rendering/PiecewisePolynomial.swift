package import SIMDShims

/// A function on 0...1 as polynomials of z = x * scale + offset, one per binary octave of z or part of one, in the form
/// the kernels evaluate.
///
/// A register holds one coefficient of every piece, and exponent and first mantissa bits of z pick among them. Where
/// the function is steep at zero, `offset` is small and octaves reach far down; where it is smooth, few octaves in more
/// parts each follow it better.
package struct PiecewisePolynomial: Sendable {
  /// Where the pieces lie.
  package struct Spacing: Sendable, Hashable {
    /// Logarithm to base 2 of the pieces that an octave is divided into.
    package var division: Int
    /// z of x = 0.
    package var offset: Double
    /// z of x = 1, below 2.
    package var top: Double
  }

  /// z = x * scale + offset.
  package let scale: Double
  package let offset: Double
  private let division: Int
  private let rows: FloatTable

  /// Range of z.
  package var lowest: Float { Float(offset) }
  package var highest: Float { Float(offset + scale) }

  /// Interpolates `function` at Chebyshev points of each piece, spread so that 0 and 1 are among them: both come out
  /// exact, and the step from piece to piece is as small as the error itself.
  /// - Parameters:
  ///   - degree: Of every piece.
  ///   - pieces: What a register of the tier holds.
  ///   - function: The function to follow, defined on 0...1.
  package init(degree: Int, pieces: Int, _ spacing: Spacing, _ function: (Double) -> Double) {
    let parts = 1 << spacing.division
    precondition(spacing.top < 2 && spacing.offset * raise(2, Double(pieces / parts)) >= 2)
    scale = spacing.top - spacing.offset
    offset = spacing.offset
    division = spacing.division
    var table = [Float](repeating: 0, count: pieces * (degree + 1))
    for octave in Int(spacing.offset.exponent)...0 {
      let unit = raise(2, Double(octave))
      for part in 0..<parts {
        let start = max(unit * (1 + Double(part) / Double(parts)), spacing.offset)
        let end = min(unit * (1 + Double(part + 1) / Double(parts)), spacing.top)
        guard end > start else { continue }
        let points = Self.points(
          start...end, count: degree + 1, includingStart: start == spacing.offset, includingEnd: end == spacing.top)
        let coefficients = Self.interpolate(points, unit: unit) { [scale] z in
          function(min(max((z - spacing.offset) / scale, 0), 1))
        }
        // The kernel picks by the low bits of the biased exponent and the first bits of the mantissa.
        let entry = ((octave + 127) * parts + part) % pieces
        for (row, value) in coefficients.enumerated() { table[pieces * row + entry] = Float(value) }
      }
    }
    rows = FloatTable(table)
  }

  /// The form that kernels take; valid while this value lives.
  @unsafe
  package var parameters: hr_polynomial {
    unsafe hr_polynomial(rows: rows.base, shift: UInt32(23 - division))
  }

  /// Chebyshev points of a range, either half of them spread until the last one lies on the end.
  private static func points(
    _ range: ClosedRange<Double>, count: Int, includingStart: Bool, includingEnd: Bool
  ) -> [Double] {
    let outermost = cosine(.pi / Double(2 * count))
    return (0..<count).map { node in
      let t = -cosine(.pi * Double(2 * node + 1) / Double(2 * count))
      let spread = (t < 0 ? includingStart : includingEnd) ? 1 / outermost : 1
      return (range.lowerBound + range.upperBound) / 2 + (range.upperBound - range.lowerBound) / 2 * t * spread
    }
  }

  /// Coefficients, highest power first, of the polynomial in z through `function` at `points`.
  private static func interpolate(_ points: [Double], unit: Double, _ function: (Double) -> Double) -> [Double] {
    let degree = points.count - 1
    var rows: [[Double]] = points.map { z in
      var powers = [1.0]
      for _ in 0..<degree { powers.append(powers[powers.count - 1] * z / unit) }
      return powers.reversed() + [function(z)]
    }
    eliminate(&rows)
    return rows.enumerated().map { $1[degree + 1] / raise(unit, Double(degree - $0)) }
  }

  /// Gauss-Jordan elimination with partial pivoting on an augmented matrix.
  private static func eliminate(_ rows: inout [[Double]]) {
    for column in rows.indices {
      let pivot = (column..<rows.count).max { rows[$0][column].magnitude < rows[$1][column].magnitude } ?? column
      rows.swapAt(column, pivot)
      let divisor = rows[column][column]
      for k in rows[column].indices { rows[column][k] /= divisor }
      for other in rows.indices where other != column {
        let factor = rows[other][column]
        for k in rows[other].indices { rows[other][k] -= factor * rows[column][k] }
      }
    }
  }
}
