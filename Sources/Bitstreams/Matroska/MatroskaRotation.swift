internal import Files
internal import Foundation

/// The rotation of a picture in a Matroska file, which FFmpeg's muxer writes only from 6.1 on.
///
/// Older versions only write the roll of a spherical projection. The stream is therefore declared spherical, and the
/// finished file is patched to a rectangular projection, whose roll is the rotation.
///
/// Source: RFC 9559, 5.1.4.1.28.41 (Projection) and its children; 11.3 (Void).
package enum MatroskaRotation {
  /// Element identifiers with their length markers.
  private enum Element {
    static let segment: UInt64 = 0x1853_8067
    static let tracks: UInt64 = 0x1654_AE6B
    static let entry: UInt64 = 0xAE
    static let video: UInt64 = 0xE0
    static let projection: UInt64 = 0x7670
    static let projectionType: UInt64 = 0x7671
    static let projectionPrivate: UInt64 = 0x7672
    static let void: UInt8 = 0xEC
  }

  /// Bytes at the start of a file that contain its tracks.
  private static let reach = 1 << 20

  /// Changes the spherical projection of the finished file at `path` to a rectangular one.
  /// - Throws: An error of Foundation if the file cannot be changed.
  package static func flatten(fileAt path: String) throws {
    guard let file = FileHandle(systemName: path, forUpdating: true) else { throw POSIXError(.ENOENT) }
    defer { try? file.close() }
    let head = [UInt8](try file.read(upToCount: reach) ?? Data())
    for (offset, bytes) in changes(in: head) {
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: Data(bytes))
    }
  }

  /// The bytes to write: projection type 0, rectangular, and a void element in place of the bounds of the sphere.
  private static func changes(in head: [UInt8]) -> [(offset: Int, bytes: [UInt8])] {
    var result: [(Int, [UInt8])] = []
    func visit(_ range: Range<Int>) {
      var offset = range.lowerBound
      while let element = EBMLElement(head, at: offset, end: range.upperBound) {
        switch element.id {
        case Element.segment, Element.tracks, Element.entry, Element.video, Element.projection:
          visit(element.content)
        case Element.projectionType where element.content.count == 1:
          result.append((element.content.lowerBound, [0]))
        case Element.projectionPrivate where element.content.count < 100:
          // Two bytes of header, the rest empty, with the size of the element that it replaces.
          let count = element.content.upperBound - offset - 2
          result.append((offset, [Element.void, 0x80 | UInt8(count)] + [UInt8](repeating: 0, count: count)))
        default: break
        }
        offset = element.content.upperBound
      }
    }
    visit(0..<head.count)
    return result
  }
}
