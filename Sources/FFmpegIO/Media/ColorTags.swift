internal import CFFmpeg
internal import ColorScience
internal import Frames
internal import Media

extension ColorTags {
  /// From FFmpeg's enums: the first three are H.273 code points; chroma locations are code points plus one.
  init(
    primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace, range: AVColorRange,
    chroma: AVChromaLocation
  ) {
    self.init(
      primaryCode: Int(primaries.rawValue), transferCode: Int(transfer.rawValue), matrixCode: Int(matrix.rawValue),
      range: range == AVCOL_RANGE_JPEG ? .full : range == AVCOL_RANGE_MPEG ? .narrow : nil,
      chromaLocation: ChromaLocation(chroma))
  }

  var avPrimaries: AVColorPrimaries { primaries.map { .init(.init($0.rawValue)) } ?? AVCOL_PRI_UNSPECIFIED }
  var avTransfer: AVColorTransferCharacteristic { transfer.map { .init(.init($0.rawValue)) } ?? AVCOL_TRC_UNSPECIFIED }
  var avRange: AVColorRange {
    switch range {
    case .full: AVCOL_RANGE_JPEG
    case .narrow: AVCOL_RANGE_MPEG
    case nil: AVCOL_RANGE_UNSPECIFIED
    }
  }
}

extension ChromaLocation {
  /// nil if unspecified.
  init?(_ location: AVChromaLocation) {
    guard let code = UInt8(exactly: Int(location.rawValue) - 1) else { return nil }
    self.init(rawValue: code)
  }
}

extension ColorDescription {
  var avPrimaries: AVColorPrimaries { AVColorPrimaries(rawValue: .init(primaries.rawValue)) }
  var avTransfer: AVColorTransferCharacteristic { AVColorTransferCharacteristic(rawValue: .init(transfer.rawValue)) }
  var avMatrix: AVColorSpace { AVColorSpace(rawValue: .init(matrix.rawValue)) }
  var avRange: AVColorRange { range == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG }
  var avChromaLocation: AVChromaLocation { AVChromaLocation(rawValue: .init(chromaLocation.rawValue) + 1) }
}

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
