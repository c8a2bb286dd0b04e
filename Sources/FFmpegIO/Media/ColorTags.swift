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
}

extension ChromaLocation {
  /// nil if unspecified.
  init?(_ location: AVChromaLocation) {
    guard let code = UInt8(exactly: Int(location.rawValue) - 1) else { return nil }
    self.init(rawValue: code)
  }
}

extension ColorTags {
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

extension ColorDescription {
  var avPrimaries: AVColorPrimaries { AVColorPrimaries(rawValue: .init(primaries.rawValue)) }
  var avTransfer: AVColorTransferCharacteristic { AVColorTransferCharacteristic(rawValue: .init(transfer.rawValue)) }
  var avMatrix: AVColorSpace { AVColorSpace(rawValue: .init(matrix.rawValue)) }
  var avRange: AVColorRange { range == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG }
  var avChromaLocation: AVChromaLocation { AVChromaLocation(rawValue: .init(chromaLocation.rawValue) + 1) }
}
