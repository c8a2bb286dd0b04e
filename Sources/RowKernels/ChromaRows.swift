internal import SIMDShims

// Full-resolution chroma to the resolution of the output, on scratch rows.

/// The mean of two rows: a chroma row that lies between two luma rows.
@export(interface)
public func averageRows(
  _ above: UnsafePointer<Float>, _ below: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
) {
  let half = Floats(repeating: 0.5)
  var x = 0
  while x < count {
    unsafe hr_store_f32(target + x, (hr_load_f32(above + x) + hr_load_f32(below + x)) * half)
    x &+= 16
  }
}

/// Three rows weighted 1, 2, 1: a chroma row that lies on the middle one.
@export(interface)
public func averageRows(
  _ above: UnsafePointer<Float>, _ middle: UnsafePointer<Float>, _ below: UnsafePointer<Float>,
  to target: UnsafeMutablePointer<Float>, count: Int
) {
  let (half, quarter) = (Floats(repeating: 0.5), Floats(repeating: 0.25))
  var x = 0
  while x < count {
    let outer = unsafe (hr_load_f32(above + x) + hr_load_f32(below + x)) * quarter
    unsafe hr_store_f32(target + x, hr_fma(hr_load_f32(middle + x), half, outer))
    x &+= 16
  }
}

/// Every second position of a row: means of pairs, or 1, 2, 1 around the even columns.
/// - Parameters:
///   - row: Its first and last samples get copied to the positions before and after.
///   - isCosited: The chroma sample lies on the even luma column, not between two.
///   - count: Positions of `row`.
@export(interface)
public func halveRow(
  _ row: UnsafeMutablePointer<Float>, isCosited: Bool, to target: UnsafeMutablePointer<Float>, count: Int
) {
  unsafe row[-1] = unsafe row[0]
  unsafe row[count] = unsafe row[count &- 1]
  let (half, quarter) = (Floats(repeating: 0.5), Floats(repeating: 0.25))
  var x = 0
  if isCosited {
    while x < count {
      let (low, high) = unsafe (hr_load_f32(row + x), hr_load_f32(row + x + 16))
      let before = unsafe hr_even_f32(hr_load_f32(row + x - 1), hr_load_f32(row + x + 15))
      let outer = (before + hr_odd_f32(low, high)) * quarter
      unsafe hr_store_f32(target + x / 2, hr_fma(hr_even_f32(low, high), half, outer))
      x &+= 32
    }
  } else {
    while x < count {
      let (low, high) = unsafe (hr_load_f32(row + x), hr_load_f32(row + x + 16))
      unsafe hr_store_f32(target + x / 2, (hr_even_f32(low, high) + hr_odd_f32(low, high)) * half)
      x &+= 32
    }
  }
}
