internal import Frames
internal import Rendering
internal import Synchronization

/// The maximum sample of a half-float channel, and the number of pixels at it.
///
/// Floating-point files do not state where the sensor clipped. Light and noise rarely give many pixels exactly the same
/// maximum; clipping does.
struct SharedMaximum: Sendable {
  /// Bits of the largest positive sample; they sort like the numbers.
  private var bits: Int16 = 0
  private var count = 0
  /// Pixels at the next lower half float: in a smooth highlight there are as many.
  private var below = 0
  /// The channel contains NaN samples.
  private var hasInvalid = false

  /// Replaces NaN samples: the largest half float.
  static let invalid = Float(Float16.greatestFiniteMagnitude)

  private static let infinity = Int16(bitPattern: Float16.infinity.bitPattern)

  /// Adds a row of half floats.
  mutating func add(_ row: UnsafeBufferPointer<Int16>) {
    var (largest, invalid) = (Int16(0), Int16(0))
    for x in 0..<row.count {
      let sample = unsafe row[x]
      let isNumber = sample & Self.infinity != Self.infinity
      largest = max(largest, isNumber ? sample : 0)
      invalid |= isNumber ? 0 : 1
    }
    hasInvalid = hasInvalid || invalid != 0
    guard largest > 0, largest >= bits - 1 else { return }
    rise(to: largest)
    for x in 0..<row.count {
      count += unsafe row[x] == bits ? 1 : 0
      below += unsafe row[x] == bits - 1 ? 1 : 0
    }
  }

  private mutating func rise(to largest: Int16) {
    guard largest > bits else { return }
    (bits, count, below) = (largest, 0, bits == largest - 1 ? count : 0)
  }

  mutating func merge(_ other: SharedMaximum) {
    hasInvalid = hasInvalid || other.hasInvalid
    rise(to: other.bits)
    if other.bits == bits {
      count += other.count
      below += other.below
    } else if other.bits == bits - 1 {
      below += other.count
    }
  }

  /// Returns the clipping value of the channel, if it clipped: at least 16 pixels and one in 10,000 are at the maximum,
  /// and far fewer just below it.
  /// - Parameter pixels: Number of pixels in the picture.
  func clippingLevel(pixels: Int) -> Float? {
    if bits > 0, count >= 16, count * 10_000 >= pixels, count > 4 * below {
      return Float(Float16(bitPattern: UInt16(bitPattern: bits)))
    }
    return hasInvalid ? Self.invalid : nil
  }

  /// Returns the saturation of each channel of a half-float frame; nil if no channel clips. A channel without clipping
  /// is limited only by the half-float range.
  static func saturation(of frame: CodedFrame, pool: WorkerPool) -> SIMD3<Float>? {
    let found = Found()
    pool.forRows(of: frame.size.height) { rows in
      for channel in 0..<3 {
        var own = SharedMaximum()
        unsafe frame.withPlane((channel + 2) % 3) { plane in
          for y in rows {
            let first = unsafe plane.row(y).assumingMemoryBound(to: Int16.self)
            unsafe own.add(UnsafeBufferPointer(start: first, count: frame.size.width))
          }
        }
        found.channels.withLock { $0[channel].merge(own) }
      }
    }
    let levels = found.channels.withLock { channels in
      channels.map { $0.clippingLevel(pixels: frame.size.width * frame.size.height) }
    }
    guard levels.contains(where: { $0 != nil }) else { return nil }
    return SIMD3(levels[0] ?? invalid, levels[1] ?? invalid, levels[2] ?? invalid)
  }

  /// The maxima of R, G and B, collected from several threads.
  private final class Found: Sendable {
    let channels = Mutex([SharedMaximum(), SharedMaximum(), SharedMaximum()])
  }
}
