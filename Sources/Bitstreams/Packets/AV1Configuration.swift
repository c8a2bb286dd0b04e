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
      let start = position
      let header = record[position]
      position += header & 4 != 0 ? 2 : 1
      // A size field is mandatory here. Source: AV1 bitstream specification, 4.10.5 and 5.3.2.
      guard header & 2 != 0 else { return nil }
      var length = 0
      var shift = 0
      while true {
        guard position < record.count, shift < 32 else { return nil }
        let byte = record[position]
        position += 1
        length |= Int(byte & 0x7F) << shift
        shift += 7
        if byte & 0x80 == 0 { break }
      }
      guard length <= record.count - position else { return nil }
      position += length
      if header >> 3 & 0xF == 1 { essence += record[start..<position] }
    }
    self.essence = essence
  }

  package func isSame(as other: AV1Configuration) -> Bool { essence == other.essence }
}
