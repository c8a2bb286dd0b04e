/// An encoded message: a kind, values as JSON, and raw bytes.
///
/// The wire format, with big-endian numbers: 4 bytes length of the rest, 1 byte kind, 4 bytes JSON length, the JSON,
/// and the raw bytes.
package struct LinkFrame: Sendable, Hashable {
  /// The kind of message.
  package var kind: UInt8
  /// The values as JSON.
  package var json: [UInt8]
  /// The raw bytes.
  package var bytes: [UInt8]

  /// Length of the header, which precedes the JSON.
  package static let headerLength = 9
  /// Bytes of the header that count towards the length.
  private static let countedHeader = 5

  /// Creates a frame.
  package init(kind: UInt8, json: [UInt8], bytes: [UInt8] = []) {
    (self.kind, self.json, self.bytes) = (kind, json, bytes)
  }

  /// Returns the header.
  /// - Throws: `LinkError.isTooLong` if the reader would reject the message.
  package func header(upTo largest: Int) throws(LinkError) -> [UInt8] {
    let length = Self.countedHeader + json.count + bytes.count
    guard length <= largest else { throw .isTooLong(bytes: length) }
    return Self.bigEndian(length) + [kind] + Self.bigEndian(json.count)
  }

  /// A decoded header.
  package struct Header: Sendable, Hashable {
    package var kind: UInt8
    /// Length of the JSON in bytes.
    package var json: Int
    /// Length of the raw bytes.
    package var bytes: Int

    /// Reads `headerLength` bytes.
    /// - Parameter largest: Maximum length of a message.
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
