internal import Files
internal import Foundation

/// An element of a Matroska file.
///
/// Source: RFC 8794, 4 (variable-size integers) and 5 to 6 (identifiers and sizes).
struct EBMLElement {
  /// Bytes of the longest identifier and size that Matroska uses.
  private static let maxHeaderByteCount = 12
  /// Identifiers of the top-level elements of a file.
  private static let header: UInt64 = 0x1A45_DFA3
  private static let segment: UInt64 = 0x1853_8067

  /// Identifier, including its length marker.
  let id: UInt64
  /// Ends with the container if the size is unknown or larger.
  let content: Range<Int>
  /// Size of the content in bytes as stated; nil: unknown, as in streams.
  let size: Int?

  /// - Parameters:
  ///   - bytes: Contain at least the element's identifier and size.
  ///   - end: End of its container, counted like `offset`.
  /// - Returns: nil at the end, or if there is no valid element.
  init?(_ bytes: [UInt8], at offset: Int, end: Int = .max) {
    var position = offset
    let limit = min(end, bytes.count)
    guard let id = Self.number(bytes, &position, end: limit, keepsMarker: true),
      case let start = position, let size = Self.number(bytes, &position, end: limit, keepsMarker: false)
    else { return nil }
    let unknown = UInt64(1) << (7 * UInt64(position - start)) - 1
    self.id = id
    self.size = size == unknown ? nil : Int(clamping: size)
    content = position..<(self.size.map { $0 < end - position ? position + $0 : end } ?? end)
  }

  private init(_ id: UInt64, _ content: Range<Int>, _ size: Int?) {
    (self.id, self.content, self.size) = (id, content, size)
  }

  /// The element at an offset in a file.
  init?(in file: FileHandle, at place: Int, end: Int) {
    let head = file.bytes(at: place, Self.maxHeaderByteCount)
    guard let own = EBMLElement(head, at: 0, end: end - place) else { return nil }
    self.init(own.id, own.content.lowerBound + place..<own.content.upperBound + place, own.size)
  }

  /// Whether a new file begins with this element.
  var isHeader: Bool { id == Self.header }

  /// The element that contains everything but the header; nil for another kind of file.
  static func segment(of file: FileHandle, byteCount: Int) -> EBMLElement? {
    guard let header = EBMLElement(in: file, at: 0, end: byteCount), header.isHeader,
      let segment = EBMLElement(in: file, at: header.content.upperBound, end: byteCount), segment.id == Self.segment
    else { return nil }
    return segment
  }

  /// An unsigned integer of up to eight bytes; nil for other content.
  func unsigned(in bytes: [UInt8]) -> Int? {
    guard content.count <= 8, content.upperBound <= bytes.count else { return nil }
    return Int(exactly: content.reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) })
  }

  private static func number(_ bytes: [UInt8], _ position: inout Int, end: Int, keepsMarker: Bool) -> UInt64? {
    guard position < end, bytes[position] != 0 else { return nil }
    let length = bytes[position].leadingZeroBitCount + 1
    guard position + length <= end else { return nil }
    var value = UInt64(bytes[position])
    if !keepsMarker { value &= (1 << (8 - UInt64(length))) - 1 }
    for index in 1..<max(length, 1) { value = value << 8 | UInt64(bytes[position + index]) }
    position += length
    return value
  }
}
