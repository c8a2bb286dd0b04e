package import SIMDShims

/// A function on 0...1 as polynomials of z = x * scale + offset, one per binary octave of z or part of one, in the form
/// that the kernels evaluate.
///
/// A register holds one coefficient of every piece; the exponent and first mantissa bits of z select among them. If the
/// function is steep at zero, `offset` is small and octaves reach far down; if it is smooth, fewer octaves with more
/// parts each approximate it better.
package struct PiecewisePolynomial: Sendable {
  /// How the pieces are spaced.
  package struct Spacing: Sendable, Hashable {
    /// Base-2 logarithm of the pieces per octave.
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

  /// Interpolates `function` at Chebyshev points of each piece, stretched to include both ends: 0 and 1 are exact, and
  /// the steps between pieces do not exceed the approximation error.
  /// - Parameters:
  ///   - degree: Degree of every piece.
  ///   - pieces: Number of pieces in a register of the tier.
  ///   - function: The function to approximate, defined on 0...1.
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
        // The kernel selects by the low bits of the biased exponent and the first bits of the mantissa.
        let entry = ((octave + 127) * parts + part) % pieces
        for (row, value) in coefficients.enumerated() { table[pieces * row + entry] = Float(value) }
      }
    }
    rows = FloatTable(table)
  }

  /// Passes the form that kernels use; valid during the lifetime of this value.
  @unsafe
  package var parameters: hr_polynomial {
    unsafe hr_polynomial(rows: rows.base, shift: UInt32(23 - division))
  }

  /// Returns the Chebyshev points of a range, each half stretched so that its outermost point is an end.
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

  /// Returns coefficients, highest power first, of the polynomial in z through `function` at `points`.
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

  /// Solves by Gauss-Jordan elimination with partial pivoting on an augmented matrix.
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
