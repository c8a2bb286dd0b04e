internal import CFFmpeg
public import Frames

/// An encoder of the linked FFmpeg that runs on a graphics processor; `missing(device:)` checks whether there is one.
public struct HardwareEncoder: Sendable, Hashable {
  /// The interface to the hardware.
  public enum Interface: String, Sendable, Hashable, CaseIterable {
    /// NVIDIA's.
    case nvenc
    /// The interface of Linux, for AMD and Intel.
    case vaapi
    /// Intel's Quick Sync Video.
    case qsv
  }

  /// FFmpeg's name: "hevc_vaapi".
  public let name: String
  /// The interface to the hardware.
  public let interface: Interface
  /// Supported frame layouts: 4:2:0, which the hardware gets semi-planar.
  public let layouts: [PixelLayout]

  /// Codecs for HDR video, and their bit depths. Source: the profiles that FFmpeg's wrappers choose.
  private static let depths = ["h264": [8], "hevc": [8, 10], "av1": [8, 10]]

  /// The hardware encoders of the linked FFmpeg, by name.
  public static let all: [HardwareEncoder] = depths.keys.flatMap { codec in
    Interface.allCases.map { "\(codec)_\($0.rawValue)" }
  }.sorted().compactMap { HardwareEncoder($0) }

  /// - Parameter name: FFmpeg's name.
  /// - Returns: nil if it is not a hardware encoder, or the linked FFmpeg lacks it.
  public init?(_ name: String) {
    let parts = name.split(separator: "_")
    guard parts.count == 2, let depths = Self.depths[String(parts[0])],
      let interface = Interface(rawValue: String(parts[1])), unsafe avcodec_find_encoder_by_name(name) != nil
    else { return nil }
    self.name = name
    self.interface = interface
    layouts = depths.map { PixelLayout(.ycbcr420, bitDepth: $0) }
  }

  /// The wrapper's option for constant quality.
  var qualityOption: String {
    switch interface {
    case .nvenc: "cq"
    case .vaapi: "qp"
    case .qsv: "global_quality"
    }
  }

  /// Whether FFmpeg's wrapper writes the frames' mastering display and content light to the stream.
  /// Source: FFmpeg 5.1, libavcodec/vaapi_encode_h265.c; its other wrappers do not.
  public var writesMetadata: Bool { name == "hevc_vaapi" }

  /// Whether it accepts such a device name: NVENC uses CUDA's numbers, which differ from the nodes'.
  public func takes(device: String) -> Bool { interface != .nvenc || Int(device).map { $0 >= 0 } ?? false }

  /// FFmpeg's semi-planar format of a layout.
  static func format(of layout: PixelLayout) -> AVPixelFormat? {
    PixelFormats.format(of: PixelLayout(layout.components, bitDepth: layout.bitDepth, packing: .semiplanar))
  }
}
