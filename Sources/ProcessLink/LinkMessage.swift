/// A message for a `LinkChannel`.
public protocol LinkMessage: Sendable {
  /// Maximum length on the wire in bytes, excluding the length field.
  static var largest: Int { get }

  /// The encoded message.
  var kindAndValues: (kind: UInt8, json: [UInt8], bytes: [UInt8]) { get throws(LinkError) }

  /// Decodes a message.
  /// - Throws: `LinkError.hasUnknownKind` and `.isMalformed`.
  init(kind: UInt8, json: [UInt8], bytes: [UInt8]) throws(LinkError)
}
