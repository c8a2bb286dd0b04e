internal import ColorScience
internal import Frames
internal import ImageFiles
internal import PreviewProtocol
internal import Sessions

/// The file format of a still.
enum StillKind: Hashable {
  /// 16 bits, lossless, with cICP.
  case png
  /// 10 bits for HDR, otherwise 8.
  case avif
  /// Light of the input, at full size.
  case exr

  /// nil: a request of another kind.
  init?(_ kind: ServerRequest.Kind) {
    switch kind {
    case .png: self = .png
    case .avif: self = .avif
    case .exr: self = .exr
    case .patch, .pixel: return nil
    }
  }

  var format: ImageFormat {
    switch self {
    case .png: .png
    case .avif: .avif
    case .exr: .exr
    }
  }

  /// Media type.
  var contentType: String {
    switch self {
    case .png: "image/png"
    case .avif: "image/avif"
    case .exr: "image/x-exr"
    }
  }

  /// Returns the layout of the samples in the file.
  func layout(_ transfer: StreamForm.Transfer) -> PixelLayout {
    switch self {
    case .png: PixelLayout(.rgb, bitDepth: 16)
    case .avif: PixelLayout(.ycbcr444, bitDepth: transfer == .sdr ? 8 : 10)
    case .exr: .linearRGB
    }
  }
}
