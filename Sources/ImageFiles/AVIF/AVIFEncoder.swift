internal import ColorScience
internal import FFmpegIO
public import Frames

/// Encodes Y'CbCr frames, 4:2:0 or 4:4:4, of 8, 10 or 12 bits as AVIF, with code points, mastering display and content
/// light.
///
/// The picture is coded by libaom through FFmpeg; the container is written here, because libheif 1.15 cannot code 10
/// bits, and FFmpeg 5.1 writes no metadata.
/// Source: AV1 Image File Format 1.1; ISO/IEC 23008-12 (HEIF).
public struct AVIFEncoder: ImageEncoder {
  /// 0...100.
  public let quality: Int
  /// Lossless, regardless of the quality.
  public let isLossless: Bool

  /// An encoder with a quality.
  /// - Parameters:
  ///   - quality: 0...100; 90 is hard to tell from the source.
  ///   - isLossless: Lossless, regardless of the quality.
  public init(quality: Int = 90, isLossless: Bool = false) {
    self.quality = min(max(quality, 0), 100)
    self.isLossless = isLossless
  }

  /// Supported layouts.
  public static let layouts = [PixelLayout.Components.ycbcr420, .ycbcr444].flatMap { components in
    [8, 10, 12].map { PixelLayout(components, bitDepth: $0) }
  }

  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    guard Self.layouts.contains(frame.layout) else {
      throw .notEncoded(format: "AVIF", reason: "it supports planar Y'CbCr 4:2:0 and 4:4:4 of 8, 10 and 12 bits")
    }
    let unit: [UInt8]
    do { unit = try PictureEncoder.av1(quality: quality, isLossless: isLossless).encode(frame) } catch {
      throw .notEncoded("AVIF", error)
    }
    guard let file = AVIFFile(frame, unit) else {
      throw .notEncoded(format: "AVIF", reason: "libaom returned no still picture")
    }
    return file.bytes
  }
}
