/// The decoder configuration of HEVC as containers store it. Source: ISO/IEC 14496-15, 8.3.3.1.
package struct HEVCConfiguration {
  /// NAL units of one type.
  private struct Group {
    /// Offset of the byte with the type.
    let offset: Int
    let type: UInt8
    var units: [[UInt8]] = []
  }

  private let record: [UInt8]
  private var groups: [Group] = []
  private static let headerLength = 22
  /// Video, sequence and picture parameter sets.
  private static let parameterSets: ClosedRange<UInt8> = 32...34

  /// nil if `record` is damaged, or consists of bare NAL units.
  package init?(_ record: [UInt8]) {
    guard record.count > Self.headerLength, record[0] == 1 else { return nil }
    self.record = record
    var position = Self.headerLength + 1
    func number() -> Int? {
      guard record.count - position >= 2 else { return nil }
      defer { position += 2 }
      return Int(record[position]) << 8 | Int(record[position + 1])
    }
    for _ in 0..<record[Self.headerLength] {
      guard position < record.count else { return nil }
      var group = Group(offset: position, type: record[position] & 0x3F)
      position += 1
      guard let count = number() else { return nil }
      for _ in 0..<count {
        guard let length = number(), length <= record.count - position else { return nil }
        group.units.append(Array(record[position..<position + length]))
        position += length
      }
      groups.append(group)
    }
  }

  /// Whether profile and parameter sets are the same; other NAL units, such as messages with the encoder's options, may
  /// differ.
  package func isSame(as other: HEVCConfiguration) -> Bool {
    guard record.prefix(Self.headerLength) == other.record.prefix(Self.headerLength) else { return false }
    return Self.parameterSets.allSatisfy { units(of: $0) == other.units(of: $0) }
  }

  private func units(of type: UInt8) -> [[UInt8]] { groups.filter { $0.type == type }.flatMap(\.units) }

  /// The record for the sample entry "hvc1", which requires all parameter sets in the record.
  package var complete: [UInt8] {
    var result = record
    for group in groups where Self.parameterSets.contains(group.type) { result[group.offset] |= 0x80 }
    return result
  }
}

/// The decoder configuration of AV1 as containers store it. Source: AV1 codec ISO media file format binding, 2.3.
package struct AV1Configuration {
  private static let headerLength = 4
  /// The configuration without `initial_presentation_delay`, and the sequence headers without other OBUs.
  private let essence: [UInt8]

  /// nil if `record` is damaged, or consists of bare OBUs.
  package init?(_ record: [UInt8]) {
    guard record.count >= Self.headerLength, record[0] == 0x81 else { return nil }
    var essence = Array(record.prefix(Self.headerLength - 1))
    var position = Self.headerLength
    while position < record.count {
      // A size field is mandatory here. Source: AV1 bitstream specification, 4.10.5 and 5.3.2.
      guard record[position] & 2 != 0, let unit = MetadataOBUs.next(in: record.span, from: &position) else {
        return nil
      }
      if unit.type == 1 { essence += record[unit.start..<position] }
    }
    self.essence = essence
  }

  package func isSame(as other: AV1Configuration) -> Bool { essence == other.essence }
}

/// The `codecs` parameter of a stream's media type. Source: RFC 6381, 3.3; ISO/IEC 14496-15:2022, annex E; AV1 Codec
/// ISO Media File Format Binding, section 5.
package struct CodecString {
  /// Such as "avc1.64001F".
  package let text: String

  /// - Parameter initialization: `ftyp` and `moov` of a stream of H.264, HEVC or AV1.
  /// - Returns: nil if it describes none of them.
  package init?(initialization: [UInt8]) {
    guard let entries = ISOBoxes(initialization)["moov"]?["trak"]?["mdia"]?["minf"]?["stbl"]?.sampleEntries
    else { return nil }
    if let entry = entries["avc1"], let record = entry["avcC"]?.bytes {
      self.init(h264: record)
    } else if let entry = entries["hvc1"], let record = entry["hvcC"]?.bytes {
      self.init(hevc: record)
    } else if let entry = entries["av01"], let record = entry["av1C"]?.bytes {
      self.init(av1: record, color: entry["colr"]?.bytes ?? [])
    } else {
      return nil
    }
  }

  /// - Parameter record: Configuration record. Source: ISO/IEC 14496-15:2022, 5.3.3.1.2.
  package init?(h264 record: [UInt8]) {
    guard record.count >= 4 else { return nil }
    text = "avc1." + record[1...3].map { Self.hexadecimal($0, digits: 2) }.joined()
  }

  /// - Parameter record: Configuration record. Source: ISO/IEC 14496-15:2022, 8.3.3.1.2.
  package init?(hevc record: [UInt8]) {
    guard record.count >= 13 else { return nil }
    let space = ["", "A", "B", "C"][Int(record[1] >> 6)]
    let tier = record[1] & 0x20 == 0 ? "L" : "H"
    var reversed: UInt32 = 0
    for bit in 0..<UInt32(32) { reversed |= (record.word(at: 2) >> bit & 1) << (31 - bit) }
    var constraints = Array(record[6...11])
    while constraints.last == 0 { constraints.removeLast() }
    let parts =
      ["hvc1", "\(space)\(record[1] & 0x1F)", String(reversed, radix: 16, uppercase: true), "\(tier)\(record[12])"]
      + constraints.map { Self.hexadecimal($0, digits: 1) }
    text = parts.joined(separator: ".")
  }

  /// - Parameters:
  ///   - record: Configuration record. Source: AV1 Codec ISO Media File Format Binding, 2.3.3.
  ///   - color: Content of the `colr` box, which supplies the optional last four numbers. Source: ISO/IEC
  ///     14496-12:2022, 12.1.5.
  package init?(av1 record: [UInt8], color: [UInt8]) {
    guard record.count >= 4 else { return nil }
    let flags = record[2]
    let bits = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
    var parts = [
      "av01", "\(record[1] >> 5)", Self.decimal(Int(record[1] & 0x1F)) + (flags & 0x80 == 0 ? "M" : "H"),
      Self.decimal(bits),
    ]
    if color.count >= 11, color[..<4].elementsEqual("nclx".utf8) {
      // The chroma sample position is present only in 4:2:0.
      let position = flags & 0x0C == 0x0C ? flags & 3 : 0
      parts += ["\(flags >> 4 & 1)", "\(flags >> 3 & 1)\(flags >> 2 & 1)\(position)"]
      parts += [4, 6, 8].map { Self.decimal(Int(color.halfWord(at: $0))) } + ["\(color[10] >> 7)"]
    }
    text = parts.joined(separator: ".")
  }

  private static func hexadecimal(_ byte: UInt8, digits: Int) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func decimal(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
