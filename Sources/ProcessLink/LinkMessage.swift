/// A message that a `LinkChannel` carries.
public protocol LinkMessage: Sendable {
  /// The most bytes that one may have on the wire after its length.
  static var largest: Int { get }

  /// As it is sent.
  var kindAndValues: (kind: UInt8, json: [UInt8], bytes: [UInt8]) { get throws(LinkError) }

  /// As it was received.
  /// - Throws: `LinkError.hasUnknownKind` and `.isMalformed`.
  init(kind: UInt8, json: [UInt8], bytes: [UInt8]) throws(LinkError)
}
