internal import Glibc

/// Sixteen bytes as two vectors of sixteen-bit lanes: even and odd positions.
struct BytePairs {
  private var even: SIMD8<UInt16>
  private var odd: SIMD8<UInt16>

  static var count: Int { 16 }

  @unsafe
  @inline(__always)
  init(_ bytes: UnsafePointer<UInt8>) {
    let pairs = unsafe UnsafeRawPointer(bytes).loadUnaligned(as: SIMD8<UInt16>.self)
    even = pairs & 0xFF
    odd = pairs &>> 8
  }

  @inline(__always)
  private init(_ even: SIMD8<UInt16>, _ odd: SIMD8<UInt16>) { (self.even, self.odd) = (even, odd) }

  @inline(__always)
  init(repeating byte: UInt8) {
    even = SIMD8(repeating: UInt16(byte))
    odd = even
  }

  @unsafe
  @inline(__always)
  func store(to bytes: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(bytes).storeBytes(of: even | odd &<< 8, as: SIMD8<UInt16>.self)
  }

  /// Returns the product of two fractions in 255ths, rounded up.
  @inline(__always)
  static func * (first: BytePairs, second: BytePairs) -> BytePairs {
    BytePairs((first.even &* second.even &+ 255) &>> 8, (first.odd &* second.odd &+ 255) &>> 8)
  }

  @inline(__always)
  static func larger(_ first: BytePairs, _ second: BytePairs) -> BytePairs {
    BytePairs(larger(first.even, second.even), larger(first.odd, second.odd))
  }

  @inline(__always)
  private static func larger(_ first: SIMD8<UInt16>, _ second: SIMD8<UInt16>) -> SIMD8<UInt16> {
    let difference = first &- second
    // All ones where the first is smaller.
    let isSmaller = 0 &- (difference &>> 15)
    return first &- (difference & isSmaller)
  }
}

/// Logarithms of counts as bytes.
///
/// 0 is no pixels, 1 is one pixel, and every doubling adds `stepsPerOctave`.
enum CountCode {
  static let stepsPerOctave = 15.875
  /// The largest count with a distinct code.
  static let most = 65_535

  /// The code of each count.
  static let table: [UInt8] = (0...most).map { count in
    count == 0 ? 0 : UInt8(1 + (stepsPerOctave * log2(Double(count))).rounded())
  }
}
