internal import CFFmpeg
public import ColorScience
public import Frames

/// The colour tags of a stream or frame; nil is "not tagged", or a value that H.273 does not name.
public struct ColorTags: Sendable, Hashable {
  public var primaries: ColorPrimaries?
  public var transfer: TransferCharacteristics?
  public var matrix: MatrixCoefficients?
  public var range: VideoRange?
  public var chromaLocation: ChromaLocation?

  public init(
    primaries: ColorPrimaries? = nil, transfer: TransferCharacteristics? = nil, matrix: MatrixCoefficients? = nil,
    range: VideoRange? = nil, chromaLocation: ChromaLocation? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaLocation = chromaLocation
  }

  /// These tags with the gaps filled from `other`: a frame's own go before its stream's.
  public func merged(over other: ColorTags) -> ColorTags {
    ColorTags(
      primaries: primaries ?? other.primaries, transfer: transfer ?? other.transfer,
      matrix: matrix ?? other.matrix, range: range ?? other.range,
      chromaLocation: chromaLocation ?? other.chromaLocation)
  }

  /// The tags as a full description. What is not tagged becomes `unspecified`; range is then full for R'G'B' and
  /// narrow else, chroma left-sited, as H.264, HEVC and FFmpeg assume.
  public func description(for layout: PixelLayout) -> ColorDescription {
    let isRGB = layout.components == .rgb
    return ColorDescription(
      primaries: primaries ?? .unspecified, transfer: transfer ?? .unspecified,
      matrix: isRGB ? .rgb : matrix ?? .unspecified, range: range ?? (isRGB ? .full : .narrow),
      chromaLocation: chromaLocation ?? .left)
  }
}

extension ColorTags {
  /// From FFmpeg's enums: the first three are H.273 code points, chroma locations are those plus one.
  init(
    primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace, range: AVColorRange,
    chroma: AVChromaLocation
  ) {
    self.init(
      primaries: UInt8(exactly: primaries.rawValue).flatMap(ColorPrimaries.init).flatMap {
        $0 == .unspecified ? nil : $0
      },
      transfer: UInt8(exactly: transfer.rawValue).flatMap(TransferCharacteristics.init).flatMap {
        $0 == .unspecified ? nil : $0
      },
      matrix: UInt8(exactly: matrix.rawValue).flatMap(MatrixCoefficients.init).flatMap {
        $0 == .unspecified ? nil : $0
      },
      range: range == AVCOL_RANGE_JPEG ? .full : range == AVCOL_RANGE_MPEG ? .narrow : nil,
      chromaLocation: chroma == AVCHROMA_LOC_UNSPECIFIED
        ? nil : UInt8(exactly: Int(chroma.rawValue) - 1).flatMap(ChromaLocation.init))
  }
}

extension ColorDescription {
  var avPrimaries: AVColorPrimaries { AVColorPrimaries(rawValue: .init(primaries.rawValue)) }
  var avTransfer: AVColorTransferCharacteristic { AVColorTransferCharacteristic(rawValue: .init(transfer.rawValue)) }
  var avMatrix: AVColorSpace { AVColorSpace(rawValue: .init(matrix.rawValue)) }
  var avRange: AVColorRange { range == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG }
  var avChromaLocation: AVChromaLocation { AVChromaLocation(rawValue: .init(chromaLocation.rawValue) + 1) }
}
