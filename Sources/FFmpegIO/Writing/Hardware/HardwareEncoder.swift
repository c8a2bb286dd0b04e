internal import CFFmpeg
public import Frames

/// An encoder of the linked FFmpeg that a graphics processor runs. Whether there is one, `missing(device:)` tells.
public struct HardwareEncoder: Sendable, Hashable {
  /// The interface to the hardware.
  public enum Interface: String, Sendable, Hashable, CaseIterable {
    /// NVIDIA's.
    case nvenc
    /// That of Linux, for AMD and Intel.
    case vaapi
    /// Intel's Quick Sync Video.
    case qsv
  }

  /// FFmpeg's name: "hevc_vaapi".
  public let name: String
  /// The interface to the hardware.
  public let interface: Interface
  /// Layouts of the frames that are encoded: 4:2:0, which the hardware gets semi-planar.
  public let layouts: [PixelLayout]

  /// Codecs that have a place in HDR video, and their bits. Source: the profiles that FFmpeg's wrappers choose.
  private static let depths = ["h264": [8], "hevc": [8, 10], "av1": [8, 10]]

  /// The hardware encoders of the linked FFmpeg, by name.
  public static let all: [HardwareEncoder] = depths.keys.flatMap { codec in
    Interface.allCases.map { "\(codec)_\($0.rawValue)" }
  }.sorted().compactMap { HardwareEncoder($0) }

  /// - Parameter name: FFmpeg's name.
  /// - Returns: nil if it is not that of a hardware encoder, or the linked FFmpeg does not have it.
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

  /// FFmpeg's wrapper writes mastering display and content light, which it takes from frames, to the stream.
  /// Source: FFmpeg 5.1, libavcodec/vaapi_encode_h265.c; its other wrappers do not.
  public var writesMetadata: Bool { name == "hevc_vaapi" }

  /// Whether it knows devices of such a name: NVENC has CUDA's numbers, which are not those of the nodes.
  public func takes(device: String) -> Bool { interface != .nvenc || Int(device).map { $0 >= 0 } ?? false }

  /// FFmpeg's semi-planar format of a layout.
  static func format(of layout: PixelLayout) -> AVPixelFormat? {
    PixelFormats.format(of: PixelLayout(layout.components, bitDepth: layout.bitDepth, packing: .semiplanar))
  }
}
