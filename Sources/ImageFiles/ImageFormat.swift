internal import ColorScience
public import Frames

/// A format that frames are written in.
public enum ImageFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Picture formats that hold one frame a file.
  case exr, png, tiff, avif, jxl
  /// YUV4MPEG2: uncompressed Y'CbCr, any number of frames.
  case y4m
  /// Pixels without a file format; `RawFormat` says how they lie.
  case rgba16Float, bgr10a2

  /// The format of a name: its own, or a suffix of file names, in any case of letters; nil where there is none.
  public init?(named name: String) {
    let name = name.lowercased()
    guard let format = Self.allCases.first(where: { $0.rawValue.lowercased() == name || $0.suffixes.contains(name) })
    else { return nil }
    self = format
  }

  /// The format that a file name ends with; nil where it is none.
  public init?(suffixOf name: String) { self.init(named: Self.suffix(of: name)) }

  /// What comes after the last point of a file name; "" without one.
  public static func suffix(of name: String) -> String {
    name.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
      .map(String.init) ?? ""
  }

  /// What file names end with; the first is usual.
  public var suffixes: [String] {
    switch self {
    case .exr, .png, .avif, .jxl, .y4m: [rawValue]
    case .tiff: ["tif", "tiff"]
    case .rgba16Float: ["rgba16f", "raw"]
    case .bgr10a2: ["bgr10a2"]
    }
  }

  /// One file takes any number of frames, one after the other.
  public var holdsManyFrames: Bool { [.y4m, .rgba16Float, .bgr10a2].contains(self) }

  /// Bytes without a header, which need a description beside them.
  public var isRaw: Bool { self == .rgba16Float || self == .bgr10a2 }

  /// The colour spaces that it can carry; none for Y4M, which holds coded Y'CbCr.
  public var spaces: [ImageSpace] {
    switch self {
    case .exr, .rgba16Float: ImageSpace.all.filter(\.isLinear)
    case .png, .avif, .bgr10a2: ImageSpace.all.filter { !$0.isLinear }
    case .tiff, .jxl: ImageSpace.all
    case .y4m: []
    }
  }

  /// Bits per sample that can be asked for, the usual one first; empty where the space decides.
  public var bitDepths: [Int] {
    switch self {
    case .png, .tiff, .jxl: [16, 8]
    case .avif: [10, 12, 8]
    case .exr, .y4m, .rgba16Float, .bgr10a2: []
    }
  }

  /// What frames are rendered to for this format in a space of `spaces`: full range, R'G'B' but for AVIF.
  /// - Parameters:
  ///   - size: Extent of the pictures.
  ///   - space: One of `spaces`.
  ///   - bitDepth: One of `bitDepths`; nil is the usual one.
  public func pixelFormat(_ size: Size, in space: ImageSpace, bitDepth: Int? = nil) -> PixelFormat {
    var color = space.color
    if space.isLinear { return PixelFormat(size: size, layout: .linearRGB, color: color) }
    let depth = bitDepth ?? bitDepths.first ?? 10
    guard self == .avif else {
      return PixelFormat(size: size, layout: PixelLayout(.rgb, bitDepth: depth), color: color)
    }
    color.matrix = space.primaries == .bt2020 ? .bt2020NCL : .bt709
    return PixelFormat(size: size, layout: PixelLayout(.ycbcr444, bitDepth: depth), color: color)
  }
}
