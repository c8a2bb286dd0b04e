internal import SIMDShims

// Coded samples to rows of 16-bit words at luma resolution.
//
// Rows named "scratch" have room for 16 elements before the first and 32 after the last; only coded rows end
// exactly at `count`.

/// Eight-bit samples to words.
@export(interface)
public func widenRow(_ source: UnsafePointer<UInt8>, to scratch: UnsafeMutablePointer<UInt16>, count: Int) {
  var x = 0
  while x &+ 16 <= count {
    unsafe hr_store_u16(scratch + x, hr_widen_u8(hr_load_u8(source + x)))
    x &+= 16
  }
  if x < count {
    unsafe hr_store_u16(scratch + x, hr_widen_u8(hr_load_first_u8(source + x, count &- x)))
  }
}

/// Interleaved Cb and Cr words, shifted down, to one row each.
/// - Parameter count: Chroma positions; `source` holds twice as many words.
@export(interface)
public func splitRow(
  _ source: UnsafePointer<UInt16>, shift: UInt16, cb: UnsafeMutablePointer<UInt16>,
  cr: UnsafeMutablePointer<UInt16>, count: Int
) {
  let shift = SIMD16<UInt16>(repeating: shift)
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

/// Weighted sum of two chroma rows: the vertical half of bilinear up-sampling.
/// - Parameters:
///   - weights: Weights of `above` and `below`, together 4.
///   - scratch: Gets samples times 4, and copies of the end samples before and after them.
@export(interface)
public func blendChromaRows(
  _ above: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, weights: (UInt16, UInt16),
  to scratch: UnsafeMutablePointer<UInt16>, count: Int
) {
  let upper = SIMD16<UInt16>(repeating: weights.0)
  let lower = SIMD16<UInt16>(repeating: weights.1)
  var x = 0
  while x &+ 16 <= count {
    let sum = unsafe hr_load_u16(above + x) &* upper &+ hr_load_u16(below + x) &* lower
    unsafe hr_store_u16(scratch + x, sum)
    x &+= 16
  }
  if x < count {
    let rest = count &- x
    let sum = unsafe hr_load_first_u16(above + x, rest) &* upper &+ hr_load_first_u16(below + x, rest) &* lower
    unsafe hr_store_u16(scratch + x, sum)
  }
  unsafe scratch[-1] = unsafe scratch[0]
  unsafe scratch[count] = unsafe scratch[count &- 1]
}

/// The horizontal half of bilinear up-sampling: two words for each of `source`, samples times 16.
/// - Parameters:
///   - source: A scratch row made by `blendChromaRows`.
///   - even: Weights of the samples before, at and after, for the first word of a pair; together 4.
///   - odd: The same for the second word.
@export(interface)
public func spreadChromaRow(
  _ source: UnsafePointer<UInt16>, even: SIMD4<UInt16>, odd: SIMD4<UInt16>,
  to scratch: UnsafeMutablePointer<UInt16>, count: Int
) {
  typealias Words = SIMD16<UInt16>
  let (e0, e1, e2) = (Words(repeating: even.x), Words(repeating: even.y), Words(repeating: even.z))
  let (o0, o1, o2) = (Words(repeating: odd.x), Words(repeating: odd.y), Words(repeating: odd.z))
  var x = 0
  while x < count {
    let before = unsafe hr_load_u16(source + x - 1)
    let here = unsafe hr_load_u16(source + x)
    let after = unsafe hr_load_u16(source + x + 1)
    let first = before &* e0 &+ here &* e1 &+ after &* e2
    let second = before &* o0 &+ here &* o1 &+ after &* o2
    unsafe hr_store_u16x32(scratch + 2 &* x, hr_interleave(first, second))
    x &+= 16
  }
}
