internal import SIMDShims

/// Reverses the elements of a row.
func reverseRow(_ source: UnsafePointer<Float16>, to target: UnsafeMutablePointer<Float16>, count: Int) {
  var x = 0
  while x &+ 8 <= count {
    unsafe hr_reverse_8(source + (count &- 8 &- x), target + x)
    x &+= 8
  }
  while x < count {
    unsafe target[x] = unsafe source[count &- 1 &- x]
    x &+= 1
  }
}

/// Transposes columns of `source` to rows of `target`, in blocks of eight by eight, so that a cache line is read
/// completely before the next row of blocks.
/// - Parameters:
///   - columns: Number of source columns.
///   - rows: Number of source rows.
func transposeRows(
  _ source: UnsafePointer<Float16>, stride sourceStride: Int, to target: UnsafeMutablePointer<Float16>,
  stride targetStride: Int, columns: Int, rows: Int
) {
  @inline(__always)
  func copy(_ columns: Range<Int>, _ rows: Range<Int>) {
    for row in rows {
      for column in columns {
        unsafe target[column &* targetStride &+ row] = unsafe source[row &* sourceStride &+ column]
      }
    }
  }
  let (wholeColumns, wholeRows) = (columns & ~7, rows & ~7)
  var row = 0
  while row < wholeRows {
    var column = 0
    while column < wholeColumns {
      unsafe hr_transpose_8x8(
        source + (row &* sourceStride &+ column), sourceStride, target + (column &* targetStride &+ row), targetStride)
      column &+= 8
    }
    copy(wholeColumns..<columns, row..<(row &+ 8))
    row &+= 8
  }
  copy(0..<columns, wholeRows..<rows)
}
