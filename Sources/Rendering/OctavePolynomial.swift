/// A function on 0...1 as one polynomial per binary octave of z = x * scale + offset, in the form the kernels evaluate.
///
/// Zero goes to z = 2^-7, where an octave begins, so that eight octaves reach all the way down: what a plain
/// logarithmic division would lose below its last octave lies in the first one, where steps are finer than any code.
package struct OctavePolynomial: Sendable {
  package static let degree = 5
  /// z of x = 0.
  package static let offset = 0x1p-7

  /// z = x * scale + offset.
  package let scale: Double
  /// `degree + 1` rows of eight, highest power first.
  package let rows: FloatTable

  /// Range of z.
  package var lowest: Float { Float(Self.offset) }
  package var highest: Float { Float(Self.offset + scale) }

  /// Interpolates `function` at Lobatto points, which include both ends of each octave: 0 and 1 come out exact.
  /// - Parameters:
  ///   - breakpoint: Where the function changes its formula, if it does; put on the boundary of an octave.
  ///   - function: The function to follow, defined on 0...1.
  package init(breakpoint: Double? = nil, _ function: (Double) -> Double) {
    scale = Self.scale(breakpoint: breakpoint)
    var table = [Float](repeating: 0, count: 8 * (Self.degree + 1))
    for octave in -7...0 {
      let start = raise(2, Double(octave))
      let end = min(2 * start, Self.offset + scale)
      guard end > start else { continue }
      let coefficients = Self.interpolate(start: start, end: end, unit: start) { [scale] z in
        function(min(max((z - Self.offset) / scale, 0), 1))
      }
      // The kernel picks by the low three bits of the biased exponent.
      let entry = (octave + 127) & 7
      for (row, value) in coefficients.enumerated() { table[8 * row + entry] = Float(value) }
    }
    rows = FloatTable(table)
  }

  /// The scale that puts `breakpoint` on a power of two, as large as keeps z below 2. Without one, 1 goes to 1.5: the
  /// last octave is the widest, and half of it is enough to halve the range that its polynomial must follow.
  private static func scale(breakpoint: Double?) -> Double {
    guard let breakpoint else { return 1.5 - offset }
    var target = 1.0
    while offset + (target - offset) / breakpoint >= 2 { target /= 2 }
    return (target - offset) / breakpoint
  }

  /// Coefficients, highest power first, in t = z / unit - 1.5, of the polynomial through Lobatto points.
  private static func interpolate(
    start: Double, end: Double, unit: Double, _ function: (Double) -> Double
  ) -> [Double] {
    let count = degree + 1
    var rows: [[Double]] = (0..<count).map { node in
      let z = (start + end) / 2 - (end - start) / 2 * cosine(.pi * Double(node) / Double(degree))
      let t = z / unit - 1.5
      var powers = [1.0]
      for _ in 0..<degree { powers.append(powers[powers.count - 1] * t) }
      return powers.reversed() + [function(z)]
    }
    eliminate(&rows)
    return rows.map { $0[count] }
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
