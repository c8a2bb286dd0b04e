internal import Frames
internal import Glibc

/// The planes of the frame that traces are drawn on.
@unsafe
struct TraceTarget {
  // Green, blue, red: the order of frames.
  private let planes: (CodedFrame.Plane, CodedFrame.Plane, CodedFrame.Plane)

  /// Calls `body` with the planes of a frame.
  static func with(_ frame: CodedFrame, _ body: (TraceTarget) -> Void) {
    unsafe frame.withPlane(0) { green in
      unsafe frame.withPlane(1) { blue in
        unsafe frame.withPlane(2) { red in unsafe body(TraceTarget(planes: (green, blue, red))) }
      }
    }
  }

  private init(planes: (CodedFrame.Plane, CodedFrame.Plane, CodedFrame.Plane)) { unsafe self.planes = unsafe planes }

  /// Draws a row of light in one colour; each component becomes the maximum of the light and the background.
  /// - Parameter brightness: Brightness of `count` pixels from column `x` of row `y`, 0...255.
  @inline(__always)
  func add(_ brightness: UnsafePointer<UInt8>, count: Int, _ color: ScopeColor, x: Int, y: Int) {
    unsafe Self.add(brightness, count, color.codes.y, planes.0, x, y)
    unsafe Self.add(brightness, count, color.codes.z, planes.1, x, y)
    unsafe Self.add(brightness, count, color.codes.x, planes.2, x, y)
  }

  @inline(__always)
  private static func add(
    _ brightness: UnsafePointer<UInt8>, _ count: Int, _ code: UInt8, _ plane: CodedFrame.Plane, _ x: Int, _ y: Int
  ) {
    let row = unsafe plane.row(y).assumingMemoryBound(to: UInt8.self) + x
    let codes = BytePairs(repeating: code)
    var column = 0
    while column &+ BytePairs.count <= count {
      let light = unsafe BytePairs(brightness + column) * codes
      unsafe BytePairs.larger(BytePairs(row + column), light).store(to: row + column)
      column &+= BytePairs.count
    }
    while column < count {
      let light = UInt8(truncatingIfNeeded: (unsafe UInt16(brightness[column]) &* UInt16(code) &+ 255) &>> 8)
      unsafe row[column] = max(row[column], light)
      column &+= 1
    }
  }

  /// Draws a row of light in position-dependent colours.
  /// - Parameter hues: `count` code values for each plane.
  @inline(__always)
  func add(
    _ brightness: UnsafePointer<UInt8>, count: Int,
    hues: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>), x: Int, y: Int
  ) {
    unsafe Self.add(brightness, count, hues.0, planes.0, x, y)
    unsafe Self.add(brightness, count, hues.1, planes.1, x, y)
    unsafe Self.add(brightness, count, hues.2, planes.2, x, y)
  }

  @inline(__always)
  private static func add(
    _ brightness: UnsafePointer<UInt8>, _ count: Int, _ hues: UnsafePointer<UInt8>, _ plane: CodedFrame.Plane,
    _ x: Int, _ y: Int
  ) {
    let row = unsafe plane.row(y).assumingMemoryBound(to: UInt8.self) + x
    var column = 0
    while column &+ BytePairs.count <= count {
      let light = unsafe BytePairs(brightness + column) * BytePairs(hues + column)
      unsafe BytePairs.larger(BytePairs(row + column), light).store(to: row + column)
      column &+= BytePairs.count
    }
    while column < count {
      let product = unsafe UInt16(brightness[column]) &* UInt16(hues[column]) &+ 255
      unsafe row[column] = max(row[column], UInt8(truncatingIfNeeded: product &>> 8))
      column &+= 1
    }
  }
}

extension Int16 {
  /// Returns the larger of two values whose difference fits in an Int16, without a comparison: the compiler would turn
  /// `max` beside a store into branches, and could not vectorize the rows.
  @inline(__always)
  static func larger(_ first: Int16, _ second: Int16) -> Int16 {
    let difference = first &- second
    return first &- (difference & (difference &>> 15))
  }

  /// Returns the smaller of two values whose difference fits in an Int16.
  @inline(__always)
  static func smaller(_ first: Int16, _ second: Int16) -> Int16 {
    let difference = first &- second
    return second &+ (difference & (difference &>> 15))
  }
}

/// The brightness of a count: one pixel is faint, and each doubling adds an equal step up to full brightness.
struct TraceTone {
  /// Brightness of one pixel, out of 255.
  static let faint = 62.0

  /// Steps of `CountCode` from one pixel to full brightness, and brightness per step in 256ths.
  private let top: Int16
  private let gain: UInt16

  /// - Parameter full: The count at full brightness.
  init(full: Double) {
    let steps = min(max(CountCode.stepsPerOctave * log2(max(full, 2)), 1), 254)
    top = Int16(steps.rounded())
    gain = UInt16((255 - Self.faint) * 256 / Double(top))
  }

  /// Converts a row of codes to brightness.
  /// - Parameters:
  ///   - codes: `count` codes of `CountCode`, each replaced by its brightness; 0 stays 0.
  ///   - offsets: Subtracted from each code.
  ///   - rowOffset: Subtracted from all codes.
  @unsafe
  @inline(__always)
  func apply(
    to codes: UnsafeMutablePointer<UInt8>, count: Int, offsets: UnsafePointer<UInt8>, rowOffset: UInt8
  ) {
    let (top, gain, faint, all) = (top, gain, UInt16(Self.faint), Int16(rowOffset) &+ 1)
    for x in 0..<count {
      let code = unsafe Int16(codes[x])
      let above = unsafe Int16.larger(code &- all &- Int16(offsets[x]), 0)
      let steps = UInt16(truncatingIfNeeded: Int16.smaller(above, top))
      // All ones where the count is non-zero.
      let any = UInt16(truncatingIfNeeded: (0 &- code) &>> 15)
      unsafe codes[x] = UInt8(truncatingIfNeeded: (faint &+ (steps &* gain) &>> 8) & any)
    }
  }
}

/// The bins of each pixel along an axis: bins with centres in the pixel, or, if bins are larger than pixels, the bin
/// that contains the pixel's centre.
struct PixelBins {
  /// First bin and number of bins of each pixel; none where the axis extends beyond the bins.
  private(set) var first: [Int] = []
  private(set) var count: [Int] = []
  /// Excess brightness in steps of `CountCode` of pixels with more bins than others, so that uniform counts are
  /// uniformly bright.
  private(set) var offsets: [UInt8] = []
  /// Average bins per pixel, at least 1.
  let density: Double

  /// - Parameters:
  ///   - range: Fractional range of bins that the pixels share, from the first to the last.
  ///   - bins: Number of bins; bins outside the range are shown at the ends.
  init(pixels: Int, range: Range<Double>, bins: Int) {
    let step = (range.upperBound - range.lowerBound) / Double(pixels)
    density = max(step, 1)
    for pixel in 0..<pixels {
      let start = range.lowerBound + Double(pixel) * step
      var (low, high): (Int, Int)
      if step < 1 {
        low = Int((start + step / 2).rounded(.down))
        high = low + 1
      } else {
        (low, high) = (Int((start - 0.5).rounded(.up)), Int((start + step - 0.5).rounded(.up)))
      }
      let more = log2(Double(high - low) / max(step.rounded(.down), 1))
      offsets.append(UInt8((CountCode.stepsPerOctave * max(more, 0)).rounded()))
      if pixel == 0 { low = min(low, 0) }
      if pixel == pixels - 1 { high = max(high, bins) }
      (low, high) = (max(low, 0), min(high, bins))
      first.append(min(low, bins - 1))
      count.append(max(high - low, 0))
    }
  }
}

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
  static let maximum = 65_535

  /// The code of each count.
  static let table: [UInt8] = (0...maximum).map { count in
    count == 0 ? 0 : UInt8(1 + (stepsPerOctave * log2(Double(count))).rounded())
  }
}
