public import ColorScience

/// The memory layout of a coded frame's samples.
public struct PixelLayout: Sendable, Hashable, Codable {
  /// What the planes hold.
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
  }

  /// What a sample is.
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

  /// Linear R, G and B, planes in the order G, B, R.
  public static let linearRGB: PixelLayout = {
    var layout = PixelLayout(.rgb, bitDepth: 16)
    layout.samples = .half
    return layout
  }()

  /// Bytes that one stored sample takes.
  public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  /// log2 of the horizontal chroma subsampling.
  public var chromaShiftX: Int { components == .ycbcr420 || components == .ycbcr422 ? 1 : 0 }

  /// log2 of the vertical chroma subsampling.
  public var chromaShiftY: Int { components == .ycbcr420 ? 1 : 0 }

  /// Planes of a frame: 1 for grey, 2 for semiplanar, 3 otherwise.
  public var planeCount: Int { components == .gray ? 1 : packing == .semiplanar ? 2 : 3 }

  /// Bits that a stored sample is shifted up by.
  public var sampleShift: Int { packing == .semiplanar && bitDepth > 8 ? 16 - bitDepth : 0 }

  /// Samples in one row and rows of plane `index`; interleaved chroma counts both components.
  public func planeSize(_ index: Int, of size: Size) -> Size {
    guard index > 0, components != .rgb else { return size }
    let width = (size.width + chromaShiftX) >> chromaShiftX
    let height = (size.height + chromaShiftY) >> chromaShiftY
    return Size(width: packing == .semiplanar ? 2 * width : width, height: height)
  }
}

extension PixelLayout {
  /// The layout of the same samples when read with `matrix`.
  ///
  /// G', B' and R' lie in the planes that are Y', Cb and Cr of other matrices, so 4:4:4 with the identity matrix is R'G'B'.
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
