internal import ColorScience
package import Displays
internal import FFmpegIO
package import Frames
package import Sessions

/// What a stream for other devices is: viewers who want the same share one.
package struct StreamForm: Sendable, Hashable {
  /// How light becomes codes.
  package enum Transfer: String, Sendable, Hashable, Codable, CaseIterable {
    case sdr, pq, hlg

    /// The kind of output that has it.
    package var kind: OutputKind {
      switch self {
      case .sdr: .sdr
      case .pq: .hdr10
      case .hlg: .hlg
      }
    }
  }

  /// A codec, and the bits of its samples.
  package enum Coding: String, Sendable, Hashable, Codable, CaseIterable {
    case h264, hevc, av1
    case hevcTenBit = "hevc-10"
    case av1TenBit = "av1-10"

    /// Bits of each component.
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
  /// Pixels that the picture may fill, with what filters draw beside it; nil: those of the source.
  package var area: Size?
  /// The display that it is rendered for.
  package var display: DisplayStatus

  package init(_ coding: Coding, _ transfer: Transfer, area: Size?, on display: DisplayStatus) {
    (self.coding, self.transfer, self.area, self.display) = (coding, transfer, area, display)
  }

  /// What an output is rendered in before anybody has asked for it.
  static let idle = StreamForm(
    .h264, .sdr, area: Size(width: 320, height: 180), on: DisplayStatus(DisplayModel(BrowserScreen(isHDR: false))))

  /// The kind of output that it is: browsers show SDR video as it is coded, so that a screen that is known to be sRGB gets its own pixels.
  var kind: OutputKind {
    let model = display.model
    return transfer == .sdr && model.transfer == .sRGB && model.primaries == .bt709 ? .display : transfer.kind
  }

  /// Planar 4:2:0.
  var layout: PixelLayout { PixelLayout(.ycbcr420, bitDepth: coding.bitDepth) }
}
