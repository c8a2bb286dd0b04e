public import ColorScience
internal import FFmpegIO
public import Frames
internal import Glibc
internal import Media
internal import Rendering

/// A colour space of pictures, by its name in Core Graphics.
public struct ImageSpace: Sendable, Hashable, CodableByName {
  /// The Core Graphics name, without its prefix.
  public let name: String
  /// Headroom's shorter name.
  public let shortName: String
  /// Primaries and white of the space.
  public let primaries: ColorPrimaries
  /// Its transfer function; linear light may exceed 0...1.
  public let transfer: TransferCharacteristics

  /// Whether colours outside the gamut and light above white are preserved.
  public var isLinear: Bool { transfer == .linear }
  /// Linear, PQ or HLG.
  public var isHDR: Bool { isLinear || transfer == .pq || transfer == .hlg }

  /// The colour description of full-range R'G'B' samples in this space.
  public var color: ColorDescription {
    ColorDescription(primaries: primaries, transfer: transfer, matrix: .rgb, range: .full)
  }

  private init(_ name: String, _ shortName: String, _ primaries: ColorPrimaries, _ transfer: TransferCharacteristics) {
    (self.name, self.shortName, self.primaries, self.transfer) = (name, shortName, primaries, transfer)
  }

  /// Linear light in BT.2020 primaries.
  public static let linearBT2020 = ImageSpace("extendedLinearITUR_2020", "linear-bt2020", .bt2020, .linear)
  /// Linear light in P3 primaries with D65.
  public static let linearP3 = ImageSpace("extendedLinearDisplayP3", "linear-p3", .displayP3, .linear)
  /// Linear light in BT.709 primaries.
  public static let linearSRGB = ImageSpace("extendedLinearSRGB", "linear-srgb", .bt709, .linear)
  /// BT.2100 PQ.
  public static let bt2100PQ = ImageSpace("itur_2100_PQ", "pq", .bt2020, .pq)
  /// PQ in P3 primaries with D65.
  public static let displayP3PQ = ImageSpace("displayP3_PQ", "p3-pq", .displayP3, .pq)
  /// BT.2100 HLG.
  public static let bt2100HLG = ImageSpace("itur_2100_HLG", "hlg", .bt2020, .hlg)
  /// HLG in P3 primaries with D65.
  public static let displayP3HLG = ImageSpace("displayP3_HLG", "p3-hlg", .displayP3, .hlg)
  /// IEC 61966-2-1.
  public static let sRGB = ImageSpace("sRGB", "srgb", .bt709, .sRGB)
  /// The curve of sRGB in P3 primaries with D65.
  public static let displayP3 = ImageSpace("displayP3", "p3", .displayP3, .sRGB)

  /// The primaries and transfer function of one display, untagged: pixels are sent to it unchanged.
  public static let display = ImageSpace("display", "display", .unspecified, .unspecified)

  /// All spaces that files can state.
  public static let all = [
    linearBT2020, linearP3, linearSRGB, bt2100PQ, displayP3PQ, bt2100HLG, displayP3HLG, sRGB, displayP3,
  ]

  /// The space with a name, or `display`, case-insensitive; nil: none.
  public static func named(_ name: String) -> ImageSpace? {
    (all + [display]).first { [$0.name, $0.shortName].map { $0.lowercased() }.contains(name.lowercased()) }
  }
}

/// Converts a signal of floating-point samples to linear light; white is 1 in both.
///
/// The curve is odd-symmetric below 0, and extends above 1. Source: ITU-T H.273 (07/2021), table 3, for the powers.
struct SignalCurve {
  private let light: @Sendable (Double) -> Double

  /// - Returns: nil if the transfer function is neither sRGB nor a power.
  init?(_ transfer: TransferCharacteristics) {
    func power(_ exponent: Double) -> @Sendable (Double) -> Double {
      { pow($0.magnitude, exponent) * ($0 < 0 ? -1 : 1) }
    }
    switch transfer {
    case .sRGB: light = { SRGB.eotf($0) }
    case .gamma22: light = power(2.2)
    case .gamma28: light = power(2.8)
    default: return nil
    }
  }

  func light(_ signal: Float) -> Float { Float(light(Double(signal))) }
}

extension PicturePreparation {
  /// Crops and scales a progressive picture: code values as a `MediaReader` does, linear light by averaging.
  /// - Throws: `FFmpegError` for a frame of another size.
  func prepared(_ frame: CodedFrame, path: String) throws(FFmpegError) -> CodedFrame {
    guard let scaling, frame.layout == .linearRGB else { return try applied(to: frame, path: path) }
    var cropping = self
    let padding = PicturePreparation(padding: padding)
    (cropping.scaling, cropping.padding) = (nil, nil)
    let part = try cropping.applied(to: frame, path: path)
    let size = scaling.size(of: part.size)
    guard [size.width, size.height].allSatisfy(PictureScaling.extents.contains)
    else { throw .unsupportedScale(from: part.size, to: size, path: path) }
    let (source, result) = (LinearFrame(size: part.size), LinearFrame(size: size))
    source.coded(color: part.color).put(part, x: 0, y: 0)
    LinearScaler(from: part.size, to: size, pool: WorkerPool(count: 1)).scale(source, into: result)
    let scaled = result.coded(color: part.color, time: part.time).with(part.metadata)
    return try padding.applied(to: scaled, path: path)
  }
}
