package import SIMDShims

/// A function of one positive variable as chords over 128 segments per octave, in the form the kernels evaluate.
///
/// The relative error of a chord is at most x² f''(x) / (8 · 128² f(x)): below 2^-16 for gains that fall no faster
/// than 1/x, which a tone curve never does.
public struct SegmentTable: Sendable {
  /// Octaves that the table spans; the argument is held at the ends outside of them.
  public static let octaves = 24
  private static let segmentsPerOctave = 128

  package let table: FloatTable
  private let topExponent: Int

  /// - Parameters:
  ///   - largest: An argument that the table has to cover; it starts 24 octaves below the next power of two.
  ///   - function: The function to follow, finite on the range.
  public init(covering largest: Double, _ function: (Double) -> Double) {
    topExponent = Int(largest.exponent) + 1
    let step = 1 / Double(Self.segmentsPerOctave)
    var values: [Float] = []
    values.reserveCapacity(2 * Self.octaves * Self.segmentsPerOctave)
    for octave in (topExponent - Self.octaves)..<topExponent {
      let unit = raise(2, Double(octave))
      for segment in 0..<Self.segmentsPerOctave {
        let start = unit * (1 + Double(segment) * step)
        let (low, high) = (function(start), function(start + unit * step))
        let slope = (high - low) / (unit * step)
        values.append(Float(low - slope * start))
        values.append(Float(slope))
      }
    }
    table = FloatTable(values)
  }

  /// The form that kernels take; valid while this table lives.
  @unsafe
  package var parameters: hr_segments {
    let lowest = Float(sign: .plus, exponent: topExponent - Self.octaves, significand: 1)
    let highest = Float(sign: .plus, exponent: topExponent, significand: 1).nextDown
    return unsafe hr_segments(
      segments: table.base, lowest: lowest, highest: highest, first: lowest.bitPattern >> 16)
  }
}
