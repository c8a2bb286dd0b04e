/// Iterates over the chunks of a PNG file in memory or on disk.
package struct PNGChunks: Sequence, IteratorProtocol {
  /// The position of a chunk in the file.
  package struct Place: Sendable, Hashable {
    package let type: String
    /// Length, type, data and checksum.
    package let whole: Range<Int>

    /// The data alone.
    package var data: Range<Int> { whole.lowerBound + 8..<whole.upperBound - 4 }
  }

  /// Reads a byte range of the file; nil or short if the file ends earlier.
  private let read: (Range<Int>) -> [UInt8]?
  private var position: Int

  /// - Returns: nil if the bytes are not a PNG file.
  package init?(reading read: @escaping (Range<Int>) -> [UInt8]?) {
    position = PNGChunk.signature.count
    guard read(0..<position) == PNGChunk.signature else { return nil }
    self.read = read
  }

  /// Chunks from a position on.
  private init(from position: Int, reading read: @escaping (Range<Int>) -> [UInt8]?) {
    (self.position, self.read) = (position, read)
  }

  /// - Returns: nil if the bytes are not a PNG file.
  package init?(_ bytes: [UInt8]) {
    self.init { range in range.upperBound <= bytes.count ? Array(bytes[range]) : nil }
  }

  /// The next chunk; nil after the last one, or if the file is damaged. Its checksum is not verified.
  package mutating func next() -> Place? {
    guard let header = read(position..<position + 8), header.count == 8 else { return nil }
    let length = header.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let letters = header.dropFirst(4)
    // Source: PNG (Third Edition), 5.3: lengths are below 2^31, types are letters.
    guard length <= Int(Int32.max), letters.allSatisfy({ (65...90).contains($0) || (97...122).contains($0) }) else {
      return nil
    }
    let start = position
    position += length + 12
    return Place(type: String(decoding: letters, as: UTF8.self), whole: start..<position)
  }

  /// The verified chunk at a position; nil if the file ends earlier or the checksum differs.
  package func chunk(at place: Place) -> PNGChunk? {
    guard let data = read(place.data), data.count == place.data.count,
      let checksum = read(place.data.upperBound..<place.whole.upperBound)
    else { return nil }
    let chunk = PNGChunk(place.type, data)
    return checksum == chunk.checksum.bigEndianBytes ? chunk : nil
  }
}

extension PNGChunks {
  /// Chunks beside the pixels that decoders inflate whole: a profile or a text of a megabyte becomes a gigabyte.
  private static let inflated: Set = ["iCCP", "zTXt", "iTXt"]
  /// Maximum bytes of such a chunk, which inflate to 8 MB. Profiles of recognized colour spaces are smaller.
  private static let inflatedLimit = 1 << 13

  /// The bytes without chunks beyond the limit; nil if no chunk exceeds it.
  /// - Parameter data: A file, or chunks without its signature, as in the extradata of APNG.
  @unsafe
  package static func bounded(_ data: UnsafePointer<UInt8>, count: Int32) -> [UInt8]? {
    let bytes = unsafe UnsafeBufferPointer(start: data, count: Int(Swift.max(count, 0)))
    let start = unsafe bytes.starts(with: PNGChunk.signature) ? PNGChunk.signature.count : 0
    let chunks = PNGChunks(from: start) { unsafe $0.upperBound <= bytes.count ? Array(bytes[$0]) : nil }
    let long = chunks.filter { inflated.contains($0.type) && $0.data.count > inflatedLimit }
    if long.isEmpty { return nil }
    var (result, end) = ([UInt8](), 0)
    for place in long {
      unsafe result += bytes[end..<place.whole.lowerBound]
      end = Swift.min(place.whole.upperBound, bytes.count)
    }
    return unsafe result + bytes[end...]
  }
}
