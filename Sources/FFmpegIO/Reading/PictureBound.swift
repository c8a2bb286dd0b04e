internal import CFFmpeg

/// How many pixels a picture file can hold, so that a header of a few bytes takes no memory for what is not there.
enum PictureBound {
  /// Pixels of the longest run that one byte of other codings of pictures stands for, on average: 1024 in JPEG (sixteen
  /// blocks of a bit each for 16 x 64 x 16 pixels), 2559 in GIF (3838 for each code of 12 bits).
  private static let runLength = 4096
  /// Any file may hold this many.
  private static let anyFile = 1 << 20

  /// Codecs that keep a picture of one colour in next to nothing, whatever its size.
  private static let unbounded: Set = [
    AV_CODEC_ID_WEBP.rawValue, AV_CODEC_ID_JPEG2000.rawValue, AV_CODEC_ID_JPEGXL.rawValue, AV_CODEC_ID_AV1.rawValue,
    AV_CODEC_ID_HEVC.rawValue, AV_CODEC_ID_JPEGLS.rawValue, AV_CODEC_ID_SVG.rawValue,
  ]

  /// The most pixels that a picture of `byteCount` bytes can have; nil: no limit.
  static func mostPixels(_ codec: AVCodecID, byteCount: Int) -> Int? {
    if unbounded.contains(codec.rawValue) { return nil }
    // Those of PNG have one bit or more.
    let isPNG = codec == AV_CODEC_ID_PNG || codec == AV_CODEC_ID_APNG
    let (pixels, overflow) = byteCount.multipliedReportingOverflow(by: isPNG ? 8 * PNGHeader.maxRatio : runLength)
    return overflow || pixels > Int.max - anyFile ? nil : pixels + anyFile
  }
}
