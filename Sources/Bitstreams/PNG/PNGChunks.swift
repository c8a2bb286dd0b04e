/// A chunk of a PNG file: a type of four letters and its data. Source: PNG (Third Edition, W3C, 2025), 5.3, "Chunk
/// layout".
package struct PNGChunk: Sendable, Hashable {
  package let type: String
  package let data: [UInt8]

  /// - Parameter type: Four ASCII letters.
  package init(_ type: String, _ data: [UInt8]) { (self.type, self.data) = (type, data) }

  /// The bytes at the start of a file. Source: PNG (Third Edition), 5.2.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The serialized chunk: length, type, data, checksum.
  package var bytes: [UInt8] { UInt32(data.count).bigEndianBytes + type.utf8 + data + checksum.bigEndianBytes }

  /// CRC-32 over type and data. Source: PNG (Third Edition), 5.5 and annex D.
  package var checksum: UInt32 {
    var crc = UInt32.max
    for byte in Array(type.utf8) + data { crc = Self.remainders[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 }
    return ~crc
  }

  /// Remainders of each byte divided by the reflected polynomial of CRC-32.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : 0xEDB8_8320 ^ crc >> 1 }
  }
}

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
    guard length <= Int(Int32.max), letters.allSatisfy({ (65...90).contains($0) || (97...122).contains($0) })
    else { return nil }
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

/// The pixel format in the first chunk of a PNG file. Source: PNG (Third Edition, W3C, 2025), 11.2.1, "IHDR".
package struct PNGHeader {
  package let width: Int
  package let height: Int
  private let bitsPerPixel: Int

  /// Bytes of a file up to the methods of its header: signature, length, type and content.
  package static let byteCount = 26
  /// Samples of a pixel by colour type. Source: 11.2.1, table 8.
  private static let samples: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
  /// Maximum compression ratio of Deflate: 258 bytes for two bits. Source: RFC 1951, 3.2.5.
  package static let maxRatio = 1032

  /// - Returns: nil if the bytes are not the start of a PNG file, or are damaged.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: PNGChunk.signature),
      bytes[12..<16].elementsEqual("IHDR".utf8), let samples = Self.samples[bytes[25]]
    else { return nil }
    width = Int(bytes.word(at: 16))
    height = Int(bytes.word(at: 20))
    bitsPerPixel = samples * Int(bytes[24])
  }

  /// Whether a file of a size can hold the pixels.
  package func fits(in byteCount: Int) -> Bool {
    // The product of two 32-bit extents may overflow; pictures of more than 2^31 pixels are not read anyway.
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    return !overflow && pixels <= Int(Int32.max) && pixels * bitsPerPixel / 8 / Self.maxRatio <= byteCount
  }
}
