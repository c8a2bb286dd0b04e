internal import SIMDShims

// Full-resolution chroma to the resolution of the output: the weighted mean of up to three rows, then every second
// column as the mean of a pair, or weighted 1, 2, 1 around the even columns.

/// The rows that contribute to a coded row. One type per number, so that row loops have no branch on it.
private protocol ChromaRows {
  /// Divisor of the sum.
  static var divisor: Float { get }
  static func sum(_ source: hr_row_filter, _ x: Int) -> Floats
}

private enum OneRow: ChromaRows {
  static var divisor: Float { @inline(__always) get { 1 } }

  @inline(__always)
  static func sum(_ source: hr_row_filter, _ x: Int) -> Floats { unsafe hr_load_f32(source.first + x) }
}

private enum TwoRows: ChromaRows {
  static var divisor: Float { @inline(__always) get { 2 } }

  @inline(__always)
  static func sum(_ source: hr_row_filter, _ x: Int) -> Floats {
    unsafe hr_load_f32(source.first + x) + hr_load_f32(source.second + x)
  }
}

private enum ThreeRows: ChromaRows {
  static var divisor: Float { @inline(__always) get { 4 } }

  @inline(__always)
  static func sum(_ source: hr_row_filter, _ x: Int) -> Floats {
    unsafe hr_fma(
      hr_load_f32(source.second + x), Floats(repeating: 2),
      hr_load_f32(source.first + x) + hr_load_f32(source.third + x))
  }
}

/// Three rows with asymmetric weights.
private enum LeaningRows: ChromaRows {
  static var divisor: Float { @inline(__always) get { 4 } }

  @inline(__always)
  static func sum(_ source: hr_row_filter, _ x: Int) -> Floats {
    let (above, below) = unsafe (1 - 4 * source.lean, 1 + 4 * source.lean)
    let outer = unsafe hr_fma(
      hr_load_f32(source.first + x), Floats(repeating: above),
      hr_load_f32(source.third + x) * Floats(repeating: below))
    return unsafe hr_fma(hr_load_f32(source.second + x), Floats(repeating: 2), outer)
  }
}

/// - Parameters:
///   - source: Rows of samples; the last samples are copied to the positions after them.
///   - isCosited: Whether chroma samples are on even luma columns, not between two.
///   - count: Number of luma columns.
func reduceRow(_ source: hr_row_filter, isCosited: Bool, to scratch: UnsafeMutablePointer<Float>, count: Int) {
  switch unsafe source.count {
  case 1: unsafe reduceRow(source, OneRow.self, isCosited, scratch, count)
  case 2: unsafe reduceRow(source, TwoRows.self, isCosited, scratch, count)
  default:
    if unsafe source.lean == 0 {
      unsafe reduceRow(source, ThreeRows.self, isCosited, scratch, count)
    } else {
      unsafe reduceRow(source, LeaningRows.self, isCosited, scratch, count)
    }
  }
}

@inline(__always)
private func reduceRow<Rows: ChromaRows>(
  _ source: hr_row_filter, _ rows: Rows.Type, _ isCosited: Bool, _ scratch: UnsafeMutablePointer<Float>, _ count: Int
) {
  unsafe source.first[count] = unsafe source.first[count &- 1]
  unsafe source.second[count] = unsafe source.second[count &- 1]
  unsafe source.third[count] = unsafe source.third[count &- 1]
  var x = 0
  if isCosited {
    let (half, quarter) = (Floats(repeating: 0.5 / rows.divisor), Floats(repeating: 0.25 / rows.divisor))
    // The first column is repeated to its left.
    var odd = unsafe Floats(repeating: rows.sum(source, 0)[0])
    while x < count {
      let (low, high) = unsafe (rows.sum(source, x), rows.sum(source, x &+ 16))
      let before = odd
      odd = hr_odd_f32(low, high)
      let outer = (hr_shift_in(before, odd) + odd) * quarter
      unsafe hr_store_f32(scratch + x / 2, hr_fma(hr_even_f32(low, high), half, outer))
      x &+= 32
    }
  } else {
    let half = Floats(repeating: 0.5 / rows.divisor)
    while x < count {
      let (low, high) = unsafe (rows.sum(source, x), rows.sum(source, x &+ 16))
      unsafe hr_store_f32(scratch + x / 2, (hr_even_f32(low, high) + hr_odd_f32(low, high)) * half)
      x &+= 32
    }
  }
}
