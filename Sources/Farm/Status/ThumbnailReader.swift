internal import Files
internal import Foundation

/// Reads thumbnails for embedding in a page, within size limits.
struct ThumbnailReader {
  let folder: WorkFolder
  /// Maximum bytes per picture.
  private static let largest = 256 << 10
  /// Remaining bytes for all pictures.
  private var left = 12 << 20
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init(folder: WorkFolder) { self.folder = folder }

  /// nil if there is no thumbnail, or it is not a PNG.
  mutating func dataURI(of record: PieceRecord) -> String? {
    guard let name = record.thumbnail,
      let (_, bytes) = FileFacts.read(folder.piecePath(name), upTo: min(Self.largest, left)),
      bytes.starts(with: Self.signature)
    else { return nil }
    left -= bytes.count
    return "data:image/png;base64," + Data(bytes).base64EncodedString()
  }
}
