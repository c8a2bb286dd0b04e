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
