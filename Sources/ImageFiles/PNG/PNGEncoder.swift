internal import FFmpegIO
public import Frames

/// Makes PNG files of R'G'B' frames of 8 or 16 bit.
///
/// Their colour is said by cICP, or by sRGB where it is that, with gAMA and cHRM for older programs where these can say
/// it; light by mDCV and cLLI.
/// Source: PNG (Third Edition, W3C, 2025).
public struct PNGEncoder: ImageEncoder {
  private let pointScale: Int?

  /// An encoder of pictures with a density.
  /// - Parameter pointScale: Pixels in a point of 1/72 inch, said as pHYs; nil: nothing is known of it.
  public init(pointScale: Int? = nil) { self.pointScale = pointScale }

  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    let coded: [UInt8]
    do { coded = try PictureEncoder.png.encode(frame) } catch {
      throw .notEncoded("PNG", error)
    }
    guard let chunks = PNGChunks(coded) else { throw .notEncoded(format: "PNG", reason: "FFmpeg gave no PNG") }
    var result = PNGChunk.signature
    result.reserveCapacity(coded.count + 256)
    // What else FFmpeg writes is of no use: a shape of pixels that it was not told.
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
  /// pHYs: pixels in a metre, across and down. Source: PNG (Third Edition), 11.3.4.3.
  /// - Parameter pointScale: Pixels in a point of 1/72 inch.
  fileprivate init(pointScale: Int) {
    let perMetre = Int((Double(72 * pointScale) / 0.0254).rounded())
    let number = (0..<4).map { UInt8(truncatingIfNeeded: perMetre >> (24 - 8 * $0)) }
    self.init("pHYs", number + number + [1])
  }
}
