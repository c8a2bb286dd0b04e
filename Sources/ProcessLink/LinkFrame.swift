/// A message on its way: a kind, values as JSON, and bytes that need no form.
///
/// On the wire, with numbers in big endian: the length of what follows in 4 bytes, the kind in 1, the length of the JSON
/// in 4, the JSON, and the bytes.
package struct LinkFrame: Sendable, Hashable {
  /// Which message it is.
  package var kind: UInt8
  /// Its values.
  package var json: [UInt8]
  /// What is not JSON.
  package var bytes: [UInt8]

  /// Bytes before the JSON.
  package static let headerLength = 9
  /// Bytes of the header that the length counts.
  private static let countedHeader = 5

  /// A frame.
  package init(kind: UInt8, json: [UInt8], bytes: [UInt8] = []) {
    (self.kind, self.json, self.bytes) = (kind, json, bytes)
  }

  /// The bytes before the JSON.
  /// - Throws: `LinkError.isTooLong` if the reader would refuse the message.
  package func header(upTo largest: Int) throws(LinkError) -> [UInt8] {
    let length = Self.countedHeader + json.count + bytes.count
    guard length <= largest else { throw .isTooLong(bytes: length) }
    return Self.bigEndian(length) + [kind] + Self.bigEndian(json.count)
  }

  /// What a header says.
  package struct Header: Sendable, Hashable {
    package var kind: UInt8
    /// Bytes of JSON.
    package var json: Int
    /// Bytes that follow it.
    package var bytes: Int

    /// Reads `headerLength` bytes.
    /// - Parameter largest: The length that a message may have.
    package init(_ header: [UInt8], upTo largest: Int) throws(LinkError) {
      guard header.count == LinkFrame.headerLength else { throw .isMalformed }
      let length = LinkFrame.number(header[0..<4])
      guard length <= largest else { throw .isTooLong(bytes: length) }
      (kind, json) = (header[4], LinkFrame.number(header[5..<9]))
      bytes = length - LinkFrame.countedHeader - json
      guard bytes >= 0 else { throw .isMalformed }
    }
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
