public import ColorScience

/// The memory layout of a coded frame's samples.
public struct PixelLayout: Sendable, Hashable, Codable {
  /// The components of a picture.
  public enum Components: String, Sendable, Hashable, Codable, CaseIterable {
    /// Y'CbCr, chroma halved both ways.
    case ycbcr420
    /// Y'CbCr, chroma halved horizontally.
    case ycbcr422
    /// Y'CbCr, chroma at full resolution.
    case ycbcr444
    /// R'G'B', planes in the order G, B, R.
    case rgb
    /// Y' only, 4:0:0.
    case gray
  }

  /// How components share planes.
  public enum Packing: String, Sendable, Hashable, Codable {
    /// One plane per component; samples in the low bits of native-endian words.
    case planar
    /// Cb and Cr interleaved in the second plane; above 8 bit, samples in the high bits (NV12, P010).
    case semiplanar
    /// 4:2:2 in one plane, as Y', Cb, Y', Cr; above 8 bit, samples in the high bits (YUY2, Y210).
    case yuyv
    /// 4:2:2 in one plane, as Cb, Y', Cr, Y' (UYVY).
    case uyvy
    /// One plane of R', G', B' (RGB24).
    case rgb
    /// One plane of B', G', R' (BGR24).
    case bgr
    /// One plane of R', G', B' and an unused sample.
    case rgbx
    /// One plane of B', G', R' and an unused sample.
    case bgrx
    /// One plane of an unused sample, R', G', B'.
    case xrgb
  }

  /// The type of a sample.
  public enum Samples: String, Sendable, Hashable, Codable {
    /// A code value.
    case integer
    /// Linear light itself, as IEEE 754 half float.
    case half
  }

  /// The components, and how far chroma is subsampled.
  public var components: Components
  /// Significant bits per sample: 8, 10 or 12; 16 is also possible for R'G'B', and 8 to 16 for Y' only.
  public var bitDepth: Int
  /// Whether chroma has two planes or one.
  public var packing: Packing
  /// A code value, or half float in `linearRGB`.
  public private(set) var samples: Samples

  /// A layout of code values; whether Headroom can read it is not checked.
  public init(_ components: Components, bitDepth: Int, packing: Packing = .planar) {
    self.components = components
    self.bitDepth = bitDepth
    self.packing = packing
    samples = .integer
  }

  /// - Throws: `DecodingError` for a depth or a packing that the components do not support.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(Components.self, forKey: .components),
      bitDepth: try values.decode(Int.self, forKey: .bitDepth, in: 8...16),
      packing: try values.decode(Packing.self, forKey: .packing))
    samples = try values.decode(Samples.self, forKey: .samples)
    let fits: Bool =
      switch packing {
      case .planar: samples == .integer || self == .linearRGB
      case .semiplanar: components != .rgb && components != .gray
      case .yuyv, .uyvy: components == .ycbcr422
      case .rgb, .bgr, .rgbx, .bgrx, .xrgb: components == .rgb && bitDepth == 8
      }
    guard fits, packing == .planar || samples == .integer else {
      throw DecodingError.dataCorruptedError(
        forKey: .packing, in: values, debugDescription: "\(components) is not packed like that")
    }
  }

  /// Linear R, G and B, planes in the order G, B, R.
  public static let linearRGB: PixelLayout = {
    var layout = PixelLayout(.rgb, bitDepth: 16)
    layout.samples = .half
    return layout
  }()

  /// Bytes per stored sample.
  public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  /// log2 of the horizontal chroma subsampling.
  public var chromaShiftX: Int { components == .ycbcr420 || components == .ycbcr422 ? 1 : 0 }

  /// log2 of the vertical chroma subsampling.
  public var chromaShiftY: Int { components == .ycbcr420 ? 1 : 0 }

  /// Planes of a frame.
  public var planeCount: Int {
    switch packing {
    case .planar: components == .gray ? 1 : 3
    case .semiplanar: 2
    default: 1
    }
  }

  /// Whether all components share one plane.
  public var isPacked: Bool { packing != .planar && packing != .semiplanar }

  /// Bits that a stored sample is shifted up by.
  public var sampleShift: Int { packing != .planar && bitDepth > 8 ? 16 - bitDepth : 0 }

  /// Samples for each column of plane `index`.
  func samplesPerColumn(plane index: Int) -> Int {
    switch packing {
    case .planar: 1
    case .semiplanar: index == 0 ? 1 : 2
    case .yuyv, .uyvy: 2
    case .rgb, .bgr: 3
    case .rgbx, .bgrx, .xrgb: 4
    }
  }

  /// Samples in one row and rows of plane `index`, of all components in it.
  public func planeSize(_ index: Int, of size: Size) -> Size {
    let perColumn = samplesPerColumn(plane: index)
    guard index > 0, components != .rgb else {
      // Pairs of pixels that share chroma are stored whole.
      let columns = isPacked ? ((size.width + chromaShiftX) >> chromaShiftX) << chromaShiftX : size.width
      return Size(width: perColumn * columns, height: size.height)
    }
    let width = (size.width + chromaShiftX) >> chromaShiftX
    let height = (size.height + chromaShiftY) >> chromaShiftY
    return Size(width: perColumn * width, height: height)
  }

  /// The position of a component's samples in a row of its plane.
  public struct SamplePlace: Sendable, Hashable {
    /// The plane.
    public var plane: Int
    /// The first sample.
    public var first: Int
    /// From one sample to the next.
    public var step: Int
  }

  /// The position of a component's samples.
  /// - Parameter component: In plane order: Y', Cb, Cr, or G', B', R'.
  public func place(of component: Int) -> SamplePlace {
    switch packing {
    case .planar: SamplePlace(plane: component, first: 0, step: 1)
    case .semiplanar:
      component == 0 ? SamplePlace(plane: 0, first: 0, step: 1) : SamplePlace(plane: 1, first: component - 1, step: 2)
    case .yuyv: SamplePlace(plane: 0, first: [0, 1, 3][component], step: component == 0 ? 2 : 4)
    case .uyvy: SamplePlace(plane: 0, first: [1, 0, 2][component], step: component == 0 ? 2 : 4)
    case .rgb: SamplePlace(plane: 0, first: [1, 2, 0][component], step: 3)
    case .bgr: SamplePlace(plane: 0, first: [1, 0, 2][component], step: 3)
    case .rgbx: SamplePlace(plane: 0, first: [1, 2, 0][component], step: 4)
    case .bgrx: SamplePlace(plane: 0, first: [1, 0, 2][component], step: 4)
    case .xrgb: SamplePlace(plane: 0, first: [2, 3, 1][component], step: 4)
    }
  }
}

extension PixelLayout {
  /// The layout of the same samples when read with `matrix`.
  ///
  /// G', B' and R' use the planes of Y', Cb and Cr, so 4:4:4 with the identity matrix is R'G'B'.
  /// Source: ITU-T H.273 (07/2021), 8.3, MatrixCoefficients 0.
  public func read(by matrix: MatrixCoefficients) -> PixelLayout {
    guard packing == .planar, samples == .integer else { return self }
    var layout = self
    switch (components, matrix) {
    case (.ycbcr444, .rgb): layout.components = .rgb
    case (.rgb, .rgb), (.rgb, .unspecified): break
    case (.rgb, _): layout.components = .ycbcr444
    default: break
    }
    return layout
  }
}
