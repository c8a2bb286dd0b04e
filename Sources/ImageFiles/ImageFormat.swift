internal import ColorScience
public import Compositing
public import Frames

/// An output format for frames.
public enum ImageFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Picture formats with one frame per file.
  case exr, png, tiff, avif, jxl
  /// YUV4MPEG2: uncompressed Y'CbCr, any number of frames.
  case y4m
  /// Raw pixels in the layout that `RawFormat` describes.
  case rgba16Float, bgr10a2

  /// The format with a name or file name suffix, case-insensitive; nil: none.
  public init?(named name: String) {
    let name = name.lowercased()
    guard let format = Self.allCases.first(where: { $0.rawValue.lowercased() == name || $0.suffixes.contains(name) })
    else { return nil }
    self = format
  }

  /// The format of a file name's suffix; nil: none.
  public init?(suffixOf name: String) { self.init(named: Self.suffix(of: name)) }

  /// The part after the last full stop of a file name; "" without one.
  public static func suffix(of name: String) -> String {
    name.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
      .map(String.init) ?? ""
  }

  /// File name suffixes; the first is the default.
  public var suffixes: [String] {
    switch self {
    case .exr, .png, .avif, .jxl, .y4m: [rawValue]
    case .tiff: ["tif", "tiff"]
    case .rgba16Float: ["rgba16f", "raw"]
    case .bgr10a2: ["bgr10a2"]
    }
  }

  /// Whether a file can hold any number of frames, one after the other.
  public var holdsManyFrames: Bool { [.y4m, .rgba16Float, .bgr10a2].contains(self) }

  /// Whether files are raw bytes without a header, which need a sidecar file.
  public var isRaw: Bool { self == .rgba16Float || self == .bgr10a2 }

  /// The supported colour spaces; none for Y4M, which holds coded Y'CbCr.
  public var spaces: [ImageSpace] {
    switch self {
    case .exr, .rgba16Float: ImageSpace.all.filter(\.isLinear)
    case .avif: ImageSpace.all.filter { !$0.isLinear }
    case .png, .bgr10a2: ImageSpace.all.filter { !$0.isLinear } + [.display]
    case .tiff: ImageSpace.all + [.display]
    case .jxl: ImageSpace.all
    case .y4m: []
    }
  }

  /// Supported bits per sample, default first; empty if the space determines them.
  public var bitDepths: [Int] {
    switch self {
    case .png, .tiff, .jxl: [16, 8]
    case .avif: [10, 12, 8]
    case .exr, .y4m, .rgba16Float, .bgr10a2: []
    }
  }

  /// The pixel format of rendered frames for this format in one of `spaces`: full-range R'G'B', except for AVIF.
  /// - Parameters:
  ///   - size: Size of the pictures.
  ///   - space: One of `spaces`.
  ///   - bitDepth: One of `bitDepths`; nil: the default.
  public func pixelFormat(_ size: Size, in space: ImageSpace, bitDepth: Int? = nil) -> PixelFormat {
    var color = space.color
    if space.isLinear { return PixelFormat(size: size, layout: .linearRGB, color: color) }
    let depth = bitDepth ?? bitDepths.first ?? 10
    guard self == .avif
    else { return PixelFormat(size: size, layout: PixelLayout(.rgb, bitDepth: depth), color: color) }
    color.matrix = space.primaries == .bt2020 ? .bt2020NCL : .bt709
    return PixelFormat(size: size, layout: PixelLayout(.ycbcr444, bitDepth: depth), color: color)
  }
}

/// How picture files are read.
public struct StillSettings: Sendable, Hashable, Codable {
  /// Headroom that an Ultra HDR image is rendered for, relative to SDR white; nil: the maximum.
  public var gainMapHeadroom: Double?
  /// Compositing of pictures with alpha.
  public var compositing: Compositing
  /// Frame rate of pictures; nil: 25, as in FFmpeg.
  public var frameRate: Rational?
  /// Number of the first file of a sequence; nil: the lowest that exists.
  public var startNumber: Int?

  /// By default the maximum headroom of Ultra HDR images, a black background, and 25 frames per second.
  public init(
    gainMapHeadroom: Double? = nil, compositing: Compositing = Compositing(), frameRate: Rational? = nil,
    startNumber: Int? = nil
  ) {
    (self.gainMapHeadroom, self.compositing, self.frameRate) = (gainMapHeadroom, compositing, frameRate)
    self.startNumber = startNumber
  }
}

/// Encodes frames as picture files; thread-safe.
public protocol ImageEncoder: Sendable {
  /// The bytes of a picture file.
  /// - Parameter frame: A frame in the encoder's layout. Its colour description and metadata (mastering display,
  ///   content light, `linearUnit`) are written to the file.
  /// - Throws: `ImageFileError.notEncoded` if the library fails, `.outOfMemory`.
  func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8]

  /// The same, replacing the bytes of an earlier frame, whose memory may be reused.
  /// - Throws: As `encode(_:)`.
  func encode(_ frame: CodedFrame, into bytes: inout [UInt8]) throws(ImageFileError)
}

extension ImageEncoder {
  public func encode(_ frame: CodedFrame, into bytes: inout [UInt8]) throws(ImageFileError) {
    bytes = try encode(frame)
  }
}
