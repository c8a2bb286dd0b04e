public import ColorScience
public import Frames

/// The meaning of a pattern's R'G'B' signals, and their code values.
public struct PatternSignal: Sendable, Hashable, Codable {
  /// The supported kinds of video.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// BT.2100 PQ in BT.2020 primaries.
    case hdr10
    /// BT.2100 HLG in BT.2020 primaries, displayed at 1000 cd/m².
    case hlg
    /// BT.709 displayed with BT.1886, white at 100 cd/m².
    case sdr
    /// BT.601, 525 lines, with SMPTE C primaries, displayed with BT.1886.
    case bt601x525 = "bt601-525"
    /// BT.601, 625 lines, with EBU Tech. 3213 primaries, displayed with BT.1886.
    case bt601x625 = "bt601-625"
    /// IEC 61966-2-1, white at 100 cd/m².
    case sRGB = "srgb"

    /// Whether its white is SDR white.
    public var isSDR: Bool { self != .hdr10 && self != .hlg }

    /// Title, also for messages.
    package var title: String {
      switch self {
      case .hdr10: "HDR10"
      case .hlg: "HLG"
      case .sdr: "SDR BT.709"
      case .bt601x525: "SDR BT.601 525"
      case .bt601x625: "SDR BT.601 625"
      case .sRGB: "sRGB"
      }
    }
  }

  /// HDR10, HLG or a kind of SDR.
  public var kind: Kind
  /// Range of the code values.
  public var range: VideoRange
  /// Bits of a code value, 8...16.
  public var bitDepth: Int

  /// Creates a signal; limited range and ten bits by default.
  public init(_ kind: Kind, range: VideoRange = .narrow, bitDepth: Int = 10) {
    self.kind = kind
    self.range = range
    self.bitDepth = bitDepth
  }

  /// Nominal peak in cd/m² of the HLG reference display. Source: ITU-R BT.2100-2, table 5, OOTF.
  public static let hlgPeak = 1000.0
  /// Luminance of SDR white in cd/m². Source: ITU-R BT.2035-0.
  public static let sdrWhite = 100.0

  /// Primaries of the kind. Source: ITU-T H.273 (07/2021), table 2.
  public var primaries: ColorPrimaries {
    switch kind {
    case .hdr10, .hlg: .bt2020
    case .sdr, .sRGB: .bt709
    case .bt601x525: .smpte170M
    case .bt601x625: .bt470BG
    }
  }

  /// The primaries' chromaticities.
  public var space: RGBSpace {
    guard let space = primaries.space else { preconditionFailure("Kinds of video have known primaries.") }
    return space
  }

  /// Transfer characteristics of the kind. Source: ITU-T H.273 (07/2021), table 3.
  public var transfer: TransferCharacteristics {
    switch kind {
    case .hdr10: .pq
    case .hlg: .hlg
    case .sdr: .bt709
    case .bt601x525, .bt601x625: .smpte170M
    case .sRGB: .sRGB
    }
  }

  /// Matrix of Y'CbCr. Source: ITU-T H.273 (07/2021), table 4.
  public var matrix: MatrixCoefficients {
    switch kind {
    case .hdr10, .hlg: .bt2020NCL
    case .sdr, .sRGB: .bt709
    case .bt601x525: .smpte170M
    case .bt601x625: .bt470BG
    }
  }

  /// The scale of code values for its depth and range.
  public var scale: SampleScale { SampleScale(bitDepth: bitDepth, range: range) }

  /// Luminance of signal 1 in cd/m².
  public var peak: Double {
    switch kind {
    case .hdr10: PQ.peak
    case .hlg: Self.hlgPeak
    case .sdr, .bt601x525, .bt601x625, .sRGB: Self.sdrWhite
    }
  }

  /// Converts a signal to the light of the reference display.
  /// - Parameter signal: R', G', B', nominally 0...1.
  /// - Returns: Linear components in cd/m², in the primaries of the signal.
  /// Source: ITU-R BT.2100-2, tables 4 and 5; BT.1886-0; IEC 61966-2-1.
  public func nits(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    switch kind {
    case .hdr10: SIMD3(PQ.eotf(signal.x), PQ.eotf(signal.y), PQ.eotf(signal.z))
    case .hlg: HLG.eotf(signal, peak: Self.hlgPeak)
    case .sdr, .bt601x525, .bt601x625:
      SIMD3(Self.bt1886.eotf(signal.x), Self.bt1886.eotf(signal.y), Self.bt1886.eotf(signal.z))
    case .sRGB: Self.sdrWhite * SIMD3(SRGB.eotf(signal.x), SRGB.eotf(signal.y), SRGB.eotf(signal.z))
    }
  }

  /// Converts the light of the reference display to a signal.
  /// - Parameter nits: Linear components in cd/m², in the primaries of the signal; clipped to its range.
  /// - Returns: R', G', B', nominally 0...1.
  public func signal(nits: SIMD3<Double>) -> SIMD3<Double> {
    switch kind {
    case .hdr10:
      return SIMD3(PQ.inverseEOTF(nits.x), PQ.inverseEOTF(nits.y), PQ.inverseEOTF(nits.z))
    case .hlg:
      let scene = HLG.inverseOOTF(nits, peak: Self.hlgPeak, gamma: HLG.gamma(peak: Self.hlgPeak))
      return SIMD3(HLG.oetf(scene.x), HLG.oetf(scene.y), HLG.oetf(scene.z))
    case .sdr, .bt601x525, .bt601x625:
      return SIMD3(
        Self.bt1886.inverseEOTF(nits.x), Self.bt1886.inverseEOTF(nits.y), Self.bt1886.inverseEOTF(nits.z))
    case .sRGB:
      let light = pointwiseMax(nits, .zero) / Self.sdrWhite
      return SIMD3(SRGB.inverseEOTF(light.x), SRGB.inverseEOTF(light.y), SRGB.inverseEOTF(light.z))
    }
  }

  private static let bt1886 = BT1886(white: sdrWhite)

  /// Returns the signal of a grey with a luminance in cd/m².
  public func gray(nits: Double) -> SIMD3<Double> { signal(nits: SIMD3(repeating: nits)) }

  /// Returns the nearest code values of a signal, limited to the video data range.
  public func codes(_ signal: SIMD3<Double>) -> SIMD3<Int> {
    SIMD3(scale.code(fromLuma: signal.x), scale.code(fromLuma: signal.y), scale.code(fromLuma: signal.z))
  }

  /// Returns the signals of code values.
  public func signal(codes: SIMD3<Int>) -> SIMD3<Double> {
    SIMD3(scale.luma(fromCode: codes.x), scale.luma(fromCode: codes.y), scale.luma(fromCode: codes.z))
  }
}

/// The canvas of a pattern: the picture's size, its signal, and the values of the pattern's parameters.
public struct PatternCanvas: Sendable, Hashable {
  /// Pixels.
  public let size: Size
  /// Pixels per point. Layouts use fractions of the picture and points; single-pixel lines stay single-pixel.
  public let scale: Double
  /// The meaning of the pattern's signals, and their code values.
  public let signal: PatternSignal
  /// Values by the parameter's name; every parameter of the pattern has one.
  public let values: [String: Double]

  /// Creates a canvas; `values` must contain every parameter of the pattern.
  public init(size: Size, scale: Double = 1, signal: PatternSignal, values: [String: Double] = [:]) {
    self.size = size
    self.scale = scale
    self.signal = signal
    self.values = values
  }

  /// Returns the value of a parameter of the pattern.
  public subscript(name: String) -> Double {
    guard let value = values[name] else { preconditionFailure("the pattern has no parameter '\(name)'") }
    return value
  }

  /// Whether text, marks and ticks are drawn.
  var hasLabels: Bool { values[TestPattern.Parameter.labels.name] != 0 }

  /// Points rounded to whole pixels, at least one.
  public func pixels(_ points: Double) -> Int { max(Int((points * scale).rounded()), 1) }

  /// An area from fractions of the picture's width and height, 0...1; neighbours share their edges.
  public func area(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> PictureArea {
    func place(_ part: Double, _ extent: Int) -> Int { Int((part * Double(extent)).rounded()) }
    let (x, y) = (place(left, size.width), place(top, size.height))
    return PictureArea(
      x: x, y: y, width: place(right, size.width) - x, height: place(bottom, size.height) - y)
  }
}
