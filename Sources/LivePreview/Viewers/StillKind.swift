internal import ColorScience
internal import Frames
internal import ImageFiles
internal import PreviewProtocol
internal import Sessions

/// A file that a still is sent as.
enum StillKind: Hashable {
  /// Sixteen bits without loss, with cICP.
  case png
  /// Ten bits for HDR, or eight.
  case avif
  /// The light of the input, at its size.
  case exr

  /// nil: a request for something else.
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

  /// Layout of the samples that the file is made of.
  func layout(_ transfer: StreamForm.Transfer) -> PixelLayout {
    switch self {
    case .png: PixelLayout(.rgb, bitDepth: 16)
    case .avif: PixelLayout(.ycbcr444, bitDepth: transfer == .sdr ? 8 : 10)
    case .exr: .linearRGB
    }
  }
}
