internal import Bitstreams
internal import FFmpegIO
public import Frames

/// Encodes R'G'B' frames of 8 or 16 bits as PNG.
///
/// Colour is signalled by cICP, or sRGB if applicable, with gAMA and cHRM for older programs where possible; light by
/// mDCV and cLLI.
/// Source: PNG (Third Edition, W3C, 2025).
public struct PNGEncoder: ImageEncoder {
  private let pointScale: Int?

  /// An encoder with a pixel density.
  /// - Parameter pointScale: Pixels per point of 1/72 inch, written as pHYs; nil: unknown.
  public init(pointScale: Int? = nil) { self.pointScale = pointScale }

  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    let coded: [UInt8]
    do { coded = try PictureEncoder.png.encode(frame) } catch {
      throw .notEncoded("PNG", error)
    }
    guard let chunks = PNGChunks(coded) else { throw .notEncoded(format: "PNG", reason: "FFmpeg returned no PNG") }
    var result = PNGChunk.signature
    result.reserveCapacity(coded.count + 256)
    // Drops the other chunks that FFmpeg writes, such as a made-up pixel aspect ratio.
    for place in chunks where ["IHDR", "IDAT", "IEND"].contains(place.type) {
      result += coded[place.whole]
      if place.type == "IHDR" {
        result += PNGColor(color: frame.color, metadata: frame.metadata).chunks.flatMap(\.bytes)
        if let pointScale { result += PNGChunk(pointScale: pointScale).bytes }
      }
    }
    return result
  }
}

extension PNGChunk {
  /// pHYs: pixels per metre, horizontally and vertically. Source: PNG (Third Edition), 11.3.4.3.
  /// - Parameter pointScale: Pixels per point of 1/72 inch.
  fileprivate init(pointScale: Int) {
    let perMetre = Int((Double(72 * pointScale) / 0.0254).rounded())
    let number = (0..<4).map { UInt8(truncatingIfNeeded: perMetre >> (24 - 8 * $0)) }
    self.init("pHYs", number + number + [1])
  }
}
