/// Chunks beside the pixels that FFmpeg inflates whole: a profile or a text of a megabyte becomes a gigabyte.
enum PNGExpansion {
  private static let types: Set = ["iCCP", "zTXt", "iTXt"]
  /// Maximum bytes of a chunk, which inflate to 8 MB. Profiles of the colour spaces that are recognized have fewer.
  private static let limit = 1 << 13

  /// A file without chunks that are longer; nil if there are none.
  /// - Parameter data: A file, or chunks without its signature, as in the extradata of APNG.
  @unsafe
  static func bounded(_ data: UnsafePointer<UInt8>, count: Int32) -> [UInt8]? {
    let bytes = unsafe UnsafeBufferPointer(start: data, count: Int(max(count, 0)))
    let start = unsafe bytes.starts(with: PNGChunk.signature) ? PNGChunk.signature.count : 0
    let chunks = PNGChunks(from: start) { unsafe $0.upperBound <= bytes.count ? Array(bytes[$0]) : nil }
    let long = chunks.filter { types.contains($0.type) && $0.data.count > limit }
    if long.isEmpty { return nil }
    var (result, end) = ([UInt8](), 0)
    for place in long {
      unsafe result += bytes[end..<place.whole.lowerBound]
      end = min(place.whole.upperBound, bytes.count)
    }
    return unsafe result + bytes[end...]
  }
}
