internal import CFFmpeg

/// Colour tags of a stream as stated by its container. When FFmpeg decodes the first frames, it replaces them by the
/// bitstream's tags, even if these are missing (ProRes) or only the decoder's assumption (`constantMatrix`).
struct ContainerColor {
  private let primaries: AVColorPrimaries
  private let transfer: AVColorTransferCharacteristic
  private let matrix: AVColorSpace

  /// - Parameter parameters: Parameters from a container that was opened, but not decoded.
  init(_ parameters: AVCodecParameters) {
    primaries = unsafe parameters.color_primaries
    transfer = unsafe parameters.color_trc
    matrix = unsafe parameters.color_space
  }

  /// The matrix that decoders report for streams that cannot signal one, or only a few.
  static func constantMatrix(_ codec: AVCodecID) -> AVColorSpace? {
    switch codec {
    case AV_CODEC_ID_DNXHD: AVCOL_SPC_BT709
    case AV_CODEC_ID_MJPEG, AV_CODEC_ID_VP8, AV_CODEC_ID_UTVIDEO: AVCOL_SPC_BT470BG
    default: nil
    }
  }

  /// Restores the tags that the bitstream lacks.
  func restore(_ parameters: inout AVCodecParameters) {
    if unsafe parameters.color_primaries == AVCOL_PRI_UNSPECIFIED { unsafe parameters.color_primaries = primaries }
    if unsafe parameters.color_trc == AVCOL_TRC_UNSPECIFIED { unsafe parameters.color_trc = transfer }
    let isUnknown = unsafe parameters.color_space == AVCOL_SPC_UNSPECIFIED
    let isConstant = unsafe parameters.color_space == Self.constantMatrix(parameters.codec_id)
    if isUnknown || isConstant && matrix != AVCOL_SPC_UNSPECIFIED { unsafe parameters.color_space = matrix }
  }
}
