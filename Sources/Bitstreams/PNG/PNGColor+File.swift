internal import Files
internal import Foundation

extension PNGColor {
  /// Maximum number of chunks before the pixels that are examined.
  private static let chunkLimit = 1000

  /// The colour of a regular file; nil if it is not a PNG file.
  package init?(path: String) {
    guard let file = FileHandle(systemName: path) else { return nil }
    let chunks = PNGChunks { range in
      guard (try? file.seek(toOffset: UInt64(range.lowerBound))) != nil else { return nil }
      return (try? file.read(upToCount: range.count)).map { Array($0) }
    }
    guard let chunks else { return nil }
    var found: [PNGChunk] = []
    for place in chunks.prefix(Self.chunkLimit).prefix(while: { $0.type != "IDAT" && $0.type != "IEND" })
    where Self.types.contains(place.type) {
      // A profile may be long, and only its presence matters.
      if place.type == "iCCP" {
        found.append(PNGChunk(place.type, []))
      } else if place.data.count <= Self.longestChunk, let chunk = chunks.chunk(at: place) {
        found.append(chunk)
      }
    }
    self.init(found)
  }
}
