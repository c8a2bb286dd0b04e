internal import ColorScience
package import Displays
internal import FFmpegIO
package import Frames
package import Sessions

/// The form of a stream for other devices: viewers that request the same form share a stream.
package struct StreamForm: Sendable, Hashable {
  /// Transfer of light to code values.
  package enum Transfer: String, Sendable, Hashable, Codable, CaseIterable {
    case sdr, pq, hlg

    /// The output kind with this transfer.
    package var kind: OutputKind {
      switch self {
      case .sdr: .sdr
      case .pq: .hdr10
      case .hlg: .hlg
      }
    }
  }

  /// A codec and its bit depth.
  package enum Coding: String, Sendable, Hashable, Codable, CaseIterable {
    case h264, hevc, av1
    case hevcTenBit = "hevc-10"
    case av1TenBit = "av1-10"

    /// Bits per component.
    package var bitDepth: Int { self == .hevcTenBit || self == .av1TenBit ? 10 : 8 }

    var codec: StreamCodec {
      switch self {
      case .h264: .h264
      case .hevc, .hevcTenBit: .hevc
      case .av1, .av1TenBit: .av1
      }
    }
  }

  package var coding: Coding
  package var transfer: Transfer
  /// Area in pixels for the picture and filter drawings beside it; nil: the source's size.
  package var area: Size?
  /// The target display.
  package var display: DisplayStatus

  package init(_ coding: Coding, _ transfer: Transfer, area: Size?, on display: DisplayStatus) {
    (self.coding, self.transfer, self.area, self.display) = (coding, transfer, area, display)
  }

  /// The form of an output before any request.
  static let idle = StreamForm(
    .h264, .sdr, area: Size(width: 320, height: 180), on: DisplayStatus(DisplayModel(BrowserScreen(isHDR: false))))

  /// The output kind: browsers show SDR code values unchanged, so that a known sRGB screen gets native pixels.
  var kind: OutputKind {
    let model = display.model
    return transfer == .sdr && model.transfer == .sRGB && model.primaries == .bt709 ? .display : transfer.kind
  }

  /// Planar 4:2:0.
  var layout: PixelLayout { PixelLayout(.ycbcr420, bitDepth: coding.bitDepth) }
}
