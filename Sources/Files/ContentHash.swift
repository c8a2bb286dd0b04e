/// A 64-bit hash of bytes, to distinguish files and pictures and to detect damage. It guards against accidents, not
/// against tampering.
///
/// Four lanes of FNV-1a over eight bytes each, which keeps pace with memory. The length of each block counts, so
/// results depend on the division into blocks.
public struct ContentHash: Sendable, Hashable {
  private static let offset: UInt64 = 0xcbf2_9ce4_8422_2325
  private static let prime: UInt64 = 0x100_0000_01b3

  private var value = Self.offset

  /// The hash of no bytes.
  public init() {}

  /// Adds a block of bytes.
  public mutating func add(_ block: UnsafeRawBufferPointer) {
    var lanes = SIMD4<UInt64>(Self.offset, Self.offset &+ 1, Self.offset &+ 2, Self.offset &+ 3)
    let prime = SIMD4<UInt64>(repeating: Self.prime)
    var index = 0
    while index &+ 32 <= block.count {
      lanes = unsafe (lanes ^ block.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)) &* prime
      // The product only moves bits up: without this, the highest byte of a word would hardly count.
      lanes ^= lanes &>> 29
      index &+= 32
    }
    while index < block.count {
      lanes[0] = unsafe Self.mixed(lanes[0], UInt64(block[index]))
      index &+= 1
    }
    for lane in 0..<4 { value = Self.mixed(value, lanes[lane]) }
    value = Self.mixed(value, UInt64(block.count))
  }

  private static func mixed(_ value: UInt64, _ more: UInt64) -> UInt64 {
    let product = (value ^ more) &* prime
    return product ^ product &>> 29
  }

  /// Sixteen hexadecimal digits.
  public var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension ContentHash {
  /// Adds the result of another hash.
  public mutating func add(_ other: ContentHash) { value = Self.mixed(value, other.value) }
}
