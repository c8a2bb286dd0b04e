internal import SIMDShims

// Coded samples to rows of 16-bit words at luma resolution.
//
// Rows named "scratch" have space for 32 elements before the first and after the last; coded rows end at `count`.

/// Widens eight-bit samples to words.
func widenRow(_ source: UnsafePointer<UInt8>, to scratch: UnsafeMutablePointer<UInt16>, count: Int) {
  var x = 0
  while x &+ 16 <= count {
    unsafe hr_store_u16(scratch + x, hr_widen_u8(hr_load_u8(source + x)))
    x &+= 16
  }
  if x < count {
    unsafe hr_store_u16(scratch + x, hr_widen_u8(hr_load_first_u8(source + x, count &- x)))
  }
}

/// Splits interleaved Cb and Cr words, shifted down, into one row each.
/// - Parameter count: Number of chroma positions; `source` has twice as many words.
func splitRow(
  _ source: UnsafePointer<UInt16>, shift: Int, cb: UnsafeMutablePointer<UInt16>,
  cr: UnsafeMutablePointer<UInt16>, count: Int
) {
  let shift = SIMD16<UInt16>(repeating: UInt16(truncatingIfNeeded: shift))
  var x = 0
  while x &+ 16 <= count {
    let pairs = unsafe hr_load_u16x32(source + 2 &* x)
    unsafe hr_store_u16(cb + x, hr_even_u16(pairs) &>> shift)
    unsafe hr_store_u16(cr + x, hr_odd_u16(pairs) &>> shift)
    x &+= 16
  }
  while x < count {
    unsafe cb[x] = unsafe source[2 &* x] &>> shift[0]
    unsafe cr[x] = unsafe source[2 &* x &+ 1] &>> shift[0]
    x &+= 1
  }
}

/// Extracts every `step`th word from packed pixels. Packed graphics are rarely large enough to benefit from a vector
/// form.
func pickRow(
  _ source: UnsafePointer<UInt16>, step: Int, to target: UnsafeMutablePointer<UInt16>, count: Int
) {
  for x in 0..<count { unsafe target[x] = unsafe source[x &* step] }
}

/// Upsamples bilinearly: two words per chroma sample, scaled by 4 times the sum of the weights, which is exact.
/// - Parameters:
///   - source: The rows above and below the luma row, with their weights.
///   - siting: Chroma samples are between two luma columns (0) or on the even ones (1), or are repeated (2).
///   - count: Number of chroma positions.
func upsampleChromaRow(
  _ source: hr_chroma_rows, siting: Int32, to scratch: UnsafeMutablePointer<UInt16>, count: Int
) {
  switch siting {
  case 0: unsafe upsampleChromaRow(source, CentredColumns.self, to: scratch, count: count)
  case 1: unsafe upsampleChromaRow(source, CositedColumns.self, to: scratch, count: count)
  default: unsafe upsampleChromaRow(source, RepeatedColumns.self, to: scratch, count: count)
  }
}

private typealias Words = SIMD16<UInt16>

/// The horizontal half of upsampling, as sums of quarters of the samples before, at and after. One type per siting.
private protocol ColumnSiting {
  /// Whether the previous sample is used.
  static var takesBefore: Bool { get }
  /// Returns the even and the odd word of each sample, times 4.
  static func pair(_ before: Words, _ here: Words, _ after: Words) -> (even: Words, odd: Words)
}

private enum CositedColumns: ColumnSiting {
  static var takesBefore: Bool { @inline(__always) get { false } }

  @inline(__always)
  static func pair(_ before: Words, _ here: Words, _ after: Words) -> (even: Words, odd: Words) {
    (here &<< 2, (here &+ after) &<< 1)
  }
}

private enum CentredColumns: ColumnSiting {
  static var takesBefore: Bool { @inline(__always) get { true } }

  @inline(__always)
  static func pair(_ before: Words, _ here: Words, _ after: Words) -> (even: Words, odd: Words) {
    let three = here &+ (here &<< 1)
    return (three &+ before, three &+ after)
  }
}

private enum RepeatedColumns: ColumnSiting {
  static var takesBefore: Bool { @inline(__always) get { false } }

  @inline(__always)
  static func pair(_ before: Words, _ here: Words, _ after: Words) -> (even: Words, odd: Words) {
    (here &<< 2, here &<< 2)
  }
}

@inline(__always)
private func upsampleChromaRow<Siting: ColumnSiting>(
  _ source: hr_chroma_rows, _ siting: Siting.Type, to scratch: UnsafeMutablePointer<UInt16>, count: Int
) {
  let upper = unsafe Words(repeating: source.weight_above)
  let lower = unsafe Words(repeating: source.weight_below)
  @inline(__always)
  func blend(_ above: Words, _ below: Words) -> Words { above &* upper &+ below &* lower }
  @inline(__always)
  func blend(at x: Int) -> Words {
    unsafe blend(hr_load_u16(source.above + x), hr_load_u16(source.below + x))
  }
  @inline(__always)
  func store(_ pair: (even: Words, odd: Words), _ x: Int) {
    unsafe hr_store_u16x32(scratch + 2 &* x, hr_interleave(pair.even, pair.odd))
  }
  var x = 0
  if siting.takesBefore, count >= 17 {
    let here = blend(at: 0)
    store(siting.pair(hr_repeat_first_u16(here), here, blend(at: 1)), 0)
    x = 16
  }
  while x &+ 17 <= count {
    store(siting.pair(siting.takesBefore ? blend(at: x &- 1) : Words(), blend(at: x), blend(at: x &+ 1)), x)
    x &+= 16
  }
  // The remaining samples, at most 16, end the row; its last sample is repeated beyond it.
  if x < count {
    let rest = count &- x
    let here =
      unsafe rest == 16
      ? blend(at: x)
      : blend(hr_load_first_u16(source.above + x, rest), hr_load_first_u16(source.below + x, rest))
    var before = hr_repeat_first_u16(here)
    if siting.takesBefore, x > 0 {
      before[0] = unsafe source.above[x &- 1] &* source.weight_above &+ source.below[x &- 1] &* source.weight_below
    }
    store(siting.pair(before, here, hr_repeat_last_u16(here)), x)
  }
}
