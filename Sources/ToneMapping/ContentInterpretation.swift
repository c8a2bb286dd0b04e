public import ColorScience
public import Frames
public import Rendering

/// What the code values of a stream stand for: the way to linear light, and the descriptor of that light.
public struct ContentInterpretation: Sendable, Hashable, Codable {
  /// Why content cannot be interpreted.
  public enum Failure: Error, Sendable, Hashable, Codable {
    /// The transfer function is not one that Headroom reads.
    case unsupportedTransfer(TransferCharacteristics)
    /// The primaries are not stated, or have no chromaticities.
    case unsupportedPrimaries(ColorPrimaries)
  }

  /// The way from signal to linear light.
  public let transfer: SignalTransfer
  /// nil for SDR content.
  public let metadata: EDRMetadata?
  /// Primaries of the linear light.
  public let primaries: RGBSpace

  /// Reads the tags and the metadata of a stream.
  /// - Parameters:
  ///   - color: Tags of the stream, none of them unspecified.
  ///   - metadata: What the stream says about its light.
  ///   - opticalOutputScale: Luminance in cd/m² of 1.0 in linear buffers of PQ content.
  /// - Throws: `Failure` for tags that Headroom cannot turn into light.
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
    // What these describe is a camera; it is shown by BT.1886, as BT.709 and BT.2020 say.
    case .bt709, .smpte170M, .smpte240M, .bt2020TenBit, .bt2020TwelveBit, .iec61966_2_4, .bt1361:
      transfer = .bt1886(peak: 1)
    case .sRGB: transfer = .sRGB(peak: 1)
    case .gamma22: transfer = .power(exponent: 2.2, peak: 1)
    case .gamma28: transfer = .power(exponent: 2.8, peak: 1)
    // Whose 1.0 is not stated is diffuse white, as that of bands is.
    case .linear: transfer = .linear(unit: (metadata.linearUnit ?? opticalOutputScale) / opticalOutputScale)
    case .log100, .log316, .smpteST428, .unspecified: throw .unsupportedTransfer(color.transfer)
    }
  }
}
