/// The sequence parameter set of HEVC, as far as it states whether pictures are fields. Source: ISO/IEC 23008-2,
/// 7.3.2.2, 7.3.3, 7.3.4, 7.3.7 and E.2.1.
package struct HEVCSequence {
  /// Type of the unit. Source: table 7-1.
  private static let unitType: UInt8 = 33
  /// Bytes of the configuration record before its arrays of units. Source: ISO/IEC 14496-15, 8.3.3.1.2.
  private static let recordLength = 23
  /// Bits of a profile without its level. Source: 7.3.3.
  private static let profileBits = 88

  private var reader: SyntaxReader
  /// Pictures that each reference picture set refers to, relative to the current one.
  private var pictureSets: [[Int]] = []

  private init(_ unit: [UInt8]) { reader = SyntaxReader(unit) }

  /// Whether the pictures of a stream are fields (`field_seq_flag`), according to the first parameter set of its
  /// configuration.
  /// - Parameter configuration: A configuration record, or NAL units after start codes.
  package static func codesFields(_ configuration: [UInt8]) -> Bool {
    guard let unit = unit(in: configuration) else { return false }
    var sequence = HEVCSequence(unit)
    return sequence.fieldFlag() ?? false
  }

  private static func unit(in bytes: [UInt8]) -> [UInt8]? {
    let (header, span) = (SEIMessages.Header.hevc, bytes.span)
    var (units, position): ([Range<Int>], Int) = ([], 0)
    if NALFraming(record: bytes, lengthSizeAt: 21) == .startCodes {
      while let unit = NALUnits.next(in: span, from: &position, .startCodes) { units.append(unit) }
    } else {
      position = recordLength
      // Each array begins with the type and the number of its units, each of which has a two-byte length.
      while position + 3 <= bytes.count {
        let count = Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
        position += 3
        for _ in 0..<count {
          guard let unit = NALUnits.next(in: span, from: &position, .lengths(2)) else { break }
          units.append(unit)
        }
      }
    }
    let unit = units.first { $0.count > header.length && header.type(bytes[$0.lowerBound]) == unitType }
    return unit.map { NALUnits.unescaped(span, $0.dropFirst(header.length)) }
  }

  /// nil if the parameter set ends early or is invalid.
  private mutating func fieldFlag() -> Bool? {
    guard reader.skip(4) != nil, let layers = reader.bits(3), reader.skip(1) != nil, skipProfile(layers) != nil,
      reader.number() != nil, let chroma = reader.number(), chroma != 3 || reader.flag() != nil,
      reader.skipNumbers(2) != nil, let isCropped = reader.flag(), !isCropped || reader.skipNumbers(4) != nil,
      reader.skipNumbers(2) != nil, let orderBits = reader.number(), orderBits <= 12,
      let hasLayers = reader.flag(), reader.skipNumbers(3 * (hasLayers ? layers + 1 : 1) + 6) != nil,
      let scales = reader.flag(), !scales || skipScaling() != nil, reader.skip(2) != nil,
      let isPCM = reader.flag(), !isPCM || skipPCM() != nil, skipPictureSets() != nil,
      let hasLongTerm = reader.flag(), !hasLongTerm || skipLongTerm(orderBits + 4) != nil, reader.skip(2) != nil
    else { return nil }
    return reader.flag() == true ? fieldFlagOfUsability() : false
  }

  private mutating func skipProfile(_ layers: Int) -> Void? {
    guard reader.skip(Self.profileBits + 8) != nil else { return nil }
    if layers == 0 { return () }
    var bits = 0
    for layer in 0..<8 {
      guard let flags = reader.bits(2) else { return nil }
      if layer < layers { bits += flags >> 1 * Self.profileBits + flags & 1 * 8 }
    }
    return reader.skip(bits)
  }

  private mutating func skipScaling() -> Void? {
    guard let isStated = reader.flag() else { return nil }
    if !isStated { return () }
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard let isCoded = reader.flag() else { return nil }
        guard reader.skipNumbers(isCoded ? min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0) : 1) != nil
        else { return nil }
      }
    }
    return ()
  }

  private mutating func skipPCM() -> Void? {
    guard reader.skip(8) != nil, reader.skipNumbers(2) != nil else { return nil }
    return reader.skip(1)
  }

  private mutating func skipLongTerm(_ orderBits: Int) -> Void? {
    guard let count = reader.number(), count <= 32 else { return nil }
    return reader.skip(count * (orderBits + 1))
  }

  private mutating func skipPictureSets() -> Void? {
    guard let count = reader.number(), count <= 64 else { return nil }
    for index in 0..<count {
      guard let isRelative = index == 0 ? false : reader.flag(), let set = isRelative ? relativeSet() : plainSet()
      else { return nil }
      pictureSets.append(set)
    }
    return ()
  }

  /// A set with the nearest pictures first, earlier ones before later ones.
  private mutating func plainSet() -> [Int]? {
    guard let earlier = reader.number(), let later = reader.number(), earlier <= 16, later <= 16 else { return nil }
    var set: [Int] = []
    for (count, sign) in [(earlier, -1), (later, 1)] {
      var delta = 0
      for _ in 0..<count {
        guard let step = reader.number(), step < 1 << 15, reader.skip(1) != nil else { return nil }
        delta += sign * (step + 1)
        set.append(delta)
      }
    }
    return set
  }

  /// A set derived from the previous one. Source: 7.4.8, equations 7-61 and 7-62.
  private mutating func relativeSet() -> [Int]? {
    guard let previous = pictureSets.last, let isNegative = reader.flag(), let step = reader.number(), step < 1 << 15
    else { return nil }
    let shift = isNegative ? -step - 1 : step + 1
    var set: [Int] = []
    for delta in previous + [0] {
      guard let isUsed = reader.flag(), let isKept = isUsed ? true : reader.flag() else { return nil }
      if isKept, delta + shift != 0 { set.append(delta + shift) }
    }
    return set.count <= 16 ? set.filter { $0 < 0 }.sorted(by: >) + set.filter { $0 > 0 }.sorted() : nil
  }

  /// `field_seq_flag` of the video usability information.
  private mutating func fieldFlagOfUsability() -> Bool? {
    guard let hasAspect = reader.flag() else { return nil }
    if hasAspect {
      guard let aspect = reader.bits(8), aspect != 255 || reader.skip(32) != nil else { return nil }
    }
    guard let hasOverscan = reader.flag(), !hasOverscan || reader.skip(1) != nil, let hasSignal = reader.flag()
    else { return nil }
    if hasSignal {
      guard reader.skip(4) != nil, let hasColor = reader.flag(), !hasColor || reader.skip(24) != nil else { return nil }
    }
    guard let hasSiting = reader.flag(), !hasSiting || reader.skipNumbers(2) != nil, reader.skip(1) != nil
    else { return nil }
    return reader.flag()
  }
}

/// Reads the syntax elements of a header of H.264 or HEVC, bit by bit. Source: ISO/IEC 23008-2, 7.2 and 9.2.
package struct SyntaxReader {
  private let bytes: [UInt8]
  private var position = 0

  /// - Parameter bytes: Bytes without emulation prevention.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A number of `count` bits, at most 32; nil beyond the end.
  mutating func bits(_ count: Int) -> Int? {
    guard position + count <= bytes.count * 8 else { return nil }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
      position += 1
    }
    return value
  }

  /// nil beyond the end.
  mutating func flag() -> Bool? { bits(1).map { $0 != 0 } }

  /// An Exp-Golomb number, less than 2^32; nil for an invalid code.
  package mutating func number() -> Int? {
    var zeros = 0
    while true {
      guard let bit = bits(1) else { return nil }
      if bit == 1 { break }
      zeros += 1
    }
    guard zeros < 32, let low = bits(zeros) else { return nil }
    return 1 << zeros - 1 + low
  }

  /// - Returns: nil beyond the end.
  mutating func skip(_ count: Int) -> Void? {
    guard count <= bytes.count * 8 - position else { return nil }
    position += count
    return ()
  }

  /// Skips Exp-Golomb numbers; nil if one of them is invalid.
  mutating func skipNumbers(_ count: Int) -> Void? {
    for _ in 0..<count { guard number() != nil else { return nil } }
    return ()
  }
}
