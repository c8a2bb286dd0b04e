internal import Bitstreams
internal import CFFmpeg
internal import ColorScience
package import Compositing
package import Frames
internal import Media

/// Decodes single pictures whose container FFmpeg does not read.
package enum PictureDecoder: Sendable {
  case hevc
  case av1

  /// - Parameters:
  ///   - bytes: The coded picture: length-prefixed NAL units, or OBUs.
  ///   - configuration: Content of `hvcC` or `av1C`.
  /// - Throws: `FFmpegError` if the decoder is missing, or the bytes contain no picture.
  package func decode(
    _ bytes: [UInt8], configuration: [UInt8], threads: Int, maxPixels: Int, path: String
  ) throws(FFmpegError) -> CodedFrame {
    let picture = try picture(bytes, configuration, threads, maxPixels, path)
    // Stills are full range unless tagged otherwise. Source: ISO/IEC 23000-22 (MIAF), 7.3.6.4.
    let video = VideoStreamInfo(
      index: 0, size: Size(width: 0, height: 0), color: ColorTags(range: .full), timeBase: Rational(1, 1),
      projection: [], metadata: HDRMetadata())
    return try FrameWrapper(video: video, png: nil, isOfPictures: false, path: path).wrap(picture)
  }

  /// The same for an auxiliary picture whose luma is the alpha of another.
  package func decodeAlpha(
    _ bytes: [UInt8], configuration: [UInt8], maxPixels: Int, path: String
  ) throws(FFmpegError) -> AlphaPlane {
    let picture = try picture(bytes, configuration, 1, maxPixels, path)
    guard let alpha = AlphaPlane(luma: picture)
    else { throw .unsupportedPixelFormat(name: PixelFormats.name(picture.format) ?? "unknown", path: path) }
    return alpha
  }

  private func picture(
    _ bytes: [UInt8], _ configuration: [UInt8], _ threads: Int, _ maxPixels: Int, _ path: String
  ) throws(FFmpegError) -> Picture {
    FFmpegLog.prepare()
    let decoder = try decoder(configuration, threads, maxPixels, path)
    var packet = unsafe av_packet_alloc()
    defer { unsafe av_packet_free(&packet) }
    guard let filled = unsafe packet else { throw .outOfMemory }
    try unsafe fill(filled, with: bytes.span.bytes)
    var errors = unsafe decoder.send(filled) ? 0 : 1
    _ = unsafe decoder.send(nil)
    while true {
      switch try decoder.receive() {
      case .picture(let picture): return picture
      case .damaged where errors < 64: errors += 1
      default: throw .nothingDecoded(path: path, packets: 1, errors: errors)
      }
    }
  }

  private func decoder(
    _ configuration: [UInt8], _ threads: Int, _ maxPixels: Int, _ path: String
  ) throws(FFmpegError) -> Decoder {
    let parameters = try CodecParameters(
      self == .hevc ? AV_CODEC_ID_HEVC : AV_CODEC_ID_AV1, configuration: configuration)
    return try unsafe Decoder(
      parameters.pointer, timeBase: AVRational(num: 1, den: 1), threads: threads, maxPixels: maxPixels, path: path)
  }
}

/// The number of pixels that a picture file can hold, so that a header of a few bytes cannot allocate memory for
/// missing pixels.
enum PictureBound {
  /// Maximum pixels per byte of other picture codecs, on average: 1024 in JPEG (sixteen blocks of one bit each for 16 x
  /// 64 x 16 pixels), 2559 in GIF (3838 per 12-bit code).
  private static let runLength = 4096
  /// Number of pixels that any file may have.
  private static let anyFile = 1 << 20

  /// Codecs that compress a uniform picture of any size to almost nothing.
  private static let unbounded: Set = [
    AV_CODEC_ID_WEBP.rawValue, AV_CODEC_ID_JPEG2000.rawValue, AV_CODEC_ID_JPEGXL.rawValue, AV_CODEC_ID_AV1.rawValue,
    AV_CODEC_ID_HEVC.rawValue, AV_CODEC_ID_JPEGLS.rawValue, AV_CODEC_ID_SVG.rawValue,
  ]

  /// The maximum number of pixels in `byteCount` bytes; nil: unlimited.
  static func maximumPixels(_ codec: AVCodecID, byteCount: Int) -> Int? {
    if unbounded.contains(codec.rawValue) { return nil }
    // PNG pixels have at least one bit.
    let (pixels, overflow) = byteCount.multipliedReportingOverflow(by: codec.isPNG ? 8 * PNGHeader.maxRatio : runLength)
    return overflow || pixels > Int.max - anyFile ? nil : pixels + anyFile
  }
}
