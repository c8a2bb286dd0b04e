public import ColorScience
public import Frames
public import Rendering

/// The meaning of a stream's code values: the conversion to linear light, and the descriptor of that light.
public struct ContentInterpretation: Sendable, Hashable, Codable {
  /// Why content cannot be interpreted.
  public enum Failure: Error, Sendable, Hashable, Codable {
    /// Headroom does not support the transfer function.
    case unsupportedTransfer(TransferCharacteristics)
    /// The primaries are unspecified, or have no chromaticities.
    case unsupportedPrimaries(ColorPrimaries)
  }

  /// The conversion from signal to linear light.
  public let transfer: SignalTransfer
  /// nil for SDR content.
  public let metadata: EDRMetadata?
  /// Primaries of the linear light.
  public let primaries: RGBSpace

  /// Interprets the tags and metadata of a stream.
  /// - Parameters:
  ///   - color: Tags of the stream, none of them unspecified.
  ///   - metadata: HDR metadata of the stream.
  ///   - opticalOutputScale: Luminance in cd/m² of 1.0 in linear buffers of PQ content.
  /// - Throws: `Failure` for unsupported tags.
  public init(
    color: ColorDescription, metadata: HDRMetadata = HDRMetadata(),
    opticalOutputScale: Double = EDRMetadata.defaultOpticalOutputScale
  ) throws(Failure) {
    guard let primaries = color.primaries.space else { throw .unsupportedPrimaries(color.primaries) }
    self.primaries = primaries
    self.metadata = EDRMetadata.describing(
      transfer: color.transfer, metadata: metadata, opticalOutputScale: opticalOutputScale)
    switch color.transfer {
    case .pq: transfer = .pq(unit: opticalOutputScale)
    case .hlg: transfer = .hlg
    // These are camera curves; the display is BT.1886, as BT.709 and BT.2020 specify.
    case .bt709, .smpte170M, .smpte240M, .bt2020TenBit, .bt2020TwelveBit, .iec61966_2_4, .bt1361:
      transfer = .bt1886(peak: 1)
    case .sRGB: transfer = .sRGB(peak: 1)
    case .gamma22: transfer = .power(exponent: 2.2, peak: 1)
    case .gamma28: transfer = .power(exponent: 2.8, peak: 1)
    // If the unit of linear light is not stated, 1.0 is diffuse white, as in bands.
    case .linear: transfer = .linear(unit: (metadata.linearUnit ?? opticalOutputScale) / opticalOutputScale)
    case .log100, .log316, .smpteST428, .unspecified: throw .unsupportedTransfer(color.transfer)
    }
  }
}
