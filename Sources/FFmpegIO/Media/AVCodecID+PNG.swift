internal import CFFmpeg

extension AVCodecID {
  /// PNG, also of several pictures.
  var isPNG: Bool { self == AV_CODEC_ID_PNG || self == AV_CODEC_ID_APNG }
}
