import ColorScience
import Displays
import Testing

/// Damaged EDIDs: whatever the bytes are, reading ends, without a trap and with few problems.
struct EDIDFuzzTests {
  @Test func damagedBytesAreRead() throws {
    var generator = Generator(state: 0x5EED)
    let samples = try EDIDIndex.entries.map { try $0.bytes() }.filter { $0.count >= 128 }
    try #require(!samples.isEmpty)
    var readable = 0
    var deep = 0
    for _ in 0..<100_000 {
      var bytes = samples[Int.random(in: samples.indices, using: &generator)]
      Self.damage(&bytes, using: &generator)
      guard let edid = try? EDID(bytes) else { continue }
      readable += 1
      if edid.hdr != nil || edid.displayID != nil { deep += 1 }
      Self.check(edid, of: bytes.count)
    }
    // Damage that stops at the first checksum would test nothing.
    #expect(readable > 30_000)
    #expect(deep > 10_000)
  }

  private static func check(_ edid: EDID, of count: Int) {
    #expect(edid.problems.count <= count)
    for space in [edid.chromaticities, edid.displayID?.primaries].compactMap({ $0 }) {
      let sum = space.luminance.sum()
      #expect(abs(sum - 1) < 1e-6 && space.luminance.min() >= 0)
    }
    let numbers = [
      edid.gamma, edid.preferredMode?.refreshRate, edid.peakLuminance, edid.minLuminance, edid.hdr?.maxLuminance,
      edid.hdr?.minLuminance, edid.displayID?.gamma, edid.displayID?.maxFullScreenLuminance,
    ]
    #expect(numbers.allSatisfy { $0 == nil || ($0?.isFinite == true && $0 ?? -1 >= 0) })
  }

  /// One kind of damage or several; half of the time checksums are mended, so that it reaches the data blocks.
  private static func damage(_ bytes: inout [UInt8], using generator: inout Generator) {
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        for _ in 0..<Int.random(in: 1...16, using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
      case 2: bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
      case 3: bytes += (0..<Int.random(in: 0...300, using: &generator)).map { _ in generator.byte() }
      case 4: bytes[Int.random(in: bytes.indices, using: &generator)] = generator.byte()
      default: fillDataBlocks(of: &bytes, using: &generator)
      }
    }
    if Bool.random(using: &generator) { mend(&bytes, using: &generator) }
  }

  /// Turns the second block into an extension of data blocks with random tags and lengths.
  private static func fillDataBlocks(of bytes: inout [UInt8], using generator: inout Generator) {
    guard bytes.count >= 256 else { return }
    let isCTA = Bool.random(using: &generator)
    let header: [UInt8] =
      isCTA ? [0x02, 3, generator.byte() & 0x7F, 0] : [0x70, generator.byte() & 0x23, generator.byte() & 0x7F, 0, 0]
    bytes.replaceSubrange(128..<128 + header.count, with: header)
    var offset = 128 + header.count
    while offset + 4 < 256 {
      let length = UInt8.random(in: 0...34, using: &generator)
      let tag: UInt8 = [0x00, 0x01, 0x02, 0x21, 0x81, generator.byte()][Int.random(in: 0..<6, using: &generator)]
      let block: [UInt8] =
        isCTA ? [0xE0 | length & 0x1F, [1, 5, 6, 0x78][Int(tag & 3)]] : [tag, generator.byte(), length]
      bytes.replaceSubrange(offset..<offset + block.count, with: block)
      offset += block.count + Int(length)
    }
  }

  /// Makes the header, the version and every checksum right.
  private static func mend(_ bytes: inout [UInt8], using generator: inout Generator) {
    guard bytes.count >= 128 else { return }
    bytes.replaceSubrange(0..<8, with: [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00])
    bytes[18] = 1
    for start in stride(from: 0, through: bytes.count - 128, by: 128) {
      let end = start + 5 + Int(bytes[start + 2])
      if start > 0, bytes[start] == 0x70, end < start + 127 {
        bytes[end] = 0 &- bytes[start + 1..<end].reduce(0, &+)
      }
      bytes[start + 127] = 0 &- bytes[start..<start + 127].reduce(0, &+)
    }
  }
}

/// SplitMix64: the same sequence everywhere.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
}
