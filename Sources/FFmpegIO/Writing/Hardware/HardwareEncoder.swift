internal import CFFmpeg
internal import Foundation
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
    (self.name, self.interface) = (name, interface)
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

  /// Something that an encoder needs and the machine lacks.
  public enum Lack: Sendable, Hashable {
    /// No device node has this path or pattern.
    case device(String)
    /// The node exists, but this user cannot open it.
    case access(String)
    /// None of these shared libraries is installed.
    case library([String])
  }

  /// Where to look for devices and libraries; a folder in tests.
  public struct System: Sendable {
    /// Device nodes.
    public var devices: String
    /// Folders of shared libraries.
    public var libraries: [String]

    /// The running system.
    public init(devices: String = "/dev", libraries: [String] = Self.standardLibraries) {
      (self.devices, self.libraries) = (devices, libraries)
    }

    /// Folders that the loader of Debian and its derivatives searches, and folders of VAAPI drivers.
    public static let standardLibraries: [String] = {
      let configured = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH", default: ""].split(separator: ":").map(
        String.init)
      let drivers = ProcessInfo.processInfo.environment["LIBVA_DRIVERS_PATH", default: ""].split(separator: ":")
      let roots = [
        "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
        "/usr/local/nvidia/lib64",
      ]
      return configured + drivers.map(String.init) + roots + roots.map { $0 + "/dri" }
    }()

    func has(_ library: String) -> Bool {
      libraries.contains { FileManager.default.fileExists(atPath: $0 + "/" + library) }
    }
  }

  /// VAAPI drivers: Intel's two, AMD's two, NVIDIA's through nouveau and NVDEC, and the virtual machines' driver.
  private static let drivers = ["iHD", "i965", "radeonsi", "r600", "nouveau", "nvidia", "virtio_gpu"].map {
    $0 + "_drv_video.so"
  }
  /// Libraries that Intel's dispatchers load: Media SDK and oneVPL.
  private static let implementations = ["libmfxhw64.so.1", "libmfx-gen.so.1.2", "libmfx-gen.so.1"]

  /// Components that this machine seems to lack for the encoder, by file names only: nothing is opened or loaded.
  /// Drivers in unusual folders are not found, so only opening the encoder is conclusive.
  /// - Parameters:
  ///   - device: The device node that the user named; nil: the first.
  ///   - system: Where to look for devices and libraries.
  public func missing(device: String? = nil, on system: System = System()) -> [Lack] {
    switch interface {
    case .nvenc:
      lacks(of: system.devices + "/nvidiactl")
        + ["libcuda.so.1", "libnvidia-encode.so.1"].filter { !system.has($0) }.map { .library([$0]) }
    case .vaapi: renderLacks(device, system) + libraryLacks(Self.drivers, system)
    case .qsv: renderLacks(device, system) + libraryLacks(Self.implementations, system)
    }
  }

  /// Explains a failure to open the device: everything that seems to be missing, and FFmpeg's text.
  func explained(_ failure: FFmpegError, device: String?) -> FFmpegError {
    let missing = missing(device: device)
    if missing.isEmpty { return failure }
    switch failure {
    case .hardwareFails(_, _, let message), .encoderRejected(_, let message):
      return .hardwareIsMissing(encoder: name, missing, message: message)
    default: return failure
    }
  }

  private func libraryLacks(_ names: [String], _ system: System) -> [Lack] {
    names.contains(where: system.has) ? [] : [.library(names)]
  }

  private func renderLacks(_ device: String?, _ system: System) -> [Lack] {
    if let node = device ?? Self.renderNode(system) { return lacks(of: node) }
    return [.device(system.devices + "/dri/renderD*")]
  }

  private func lacks(of node: String) -> [Lack] {
    if !FileManager.default.fileExists(atPath: node) { return [.device(node)] }
    return FileManager.default.isReadableFile(atPath: node) && FileManager.default.isWritableFile(atPath: node)
      ? [] : [.access(node)]
  }

  /// The first render node of the graphics processors.
  static func renderNode(_ system: System = System()) -> String? {
    let folder = system.devices + "/dri"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("renderD") }.min().map { folder + "/" + $0 }
  }
}

extension HardwareEncoder.Lack: CustomStringConvertible {
  /// "no device /dev/dri/renderD*"
  public var description: String {
    switch self {
    case .device(let path): "no device \(path)"
    case .access(let path): "no permission to open \(path)"
    case .library(let names): names.count == 1 ? "no \(names[0])" : "none of \(names.joined(separator: ", "))"
    }
  }
}

extension [HardwareEncoder.Lack] {
  /// The first remedy, as an unterminated sentence.
  var advice: String {
    let nodes = compactMap { if case .access(let node) = $0 { node } else { nil } }
    return nodes.isEmpty
      ? "Install the driver" : "Join the group that owns \(nodes[0]), usually render or video"
  }
}
