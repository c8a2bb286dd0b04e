internal import CFFmpeg

extension AVCodecID {
  /// Whether it is PNG or animated PNG.
  var isPNG: Bool { self == AV_CODEC_ID_PNG || self == AV_CODEC_ID_APNG }
}
