public import ColorScience
public import Frames

/// The meaning of a stream's code values: the conversion to linear light, and the descriptor of the light.
public struct ContentInterpretation: Sendable, Hashable, Codable {
  /// Why content cannot be interpreted.
  public enum Failure: Error, Sendable, Hashable, Codable {
    /// Headroom does not support the transfer function.
    case unsupportedTransfer(TransferCharacteristics)
    /// The primaries are unspecified, or have no chromaticities.
    case unsupportedPrimaries(ColorPrimaries)
    /// The descriptor contradicts the transfer function: PQ as scene light, or HLG as display light.
    case contradictoryDescriptor(TransferCharacteristics)
  }

  /// A user's description of the light of an input, which overrides tags and metadata.
  public enum StatedDescriptor: Sendable, Hashable, Codable {
    /// No descriptor: 1.0 is SDR white, values above the headroom are clipped, and nothing is tone-mapped.
    case none
    /// Linear and SDR values are in buffers with this descriptor.
    case metadata(EDRMetadata)
  }

  /// The conversion from signal to linear light.
  public let transfer: SignalTransfer
  /// nil: SDR content.
  public private(set) var metadata: EDRMetadata?
  /// Primaries of the linear light.
  public let primaries: RGBSpace
  /// Whether the light is stated to have no descriptor: it is not tone-mapped, whatever its transfer function.
  public private(set) var isUnmapped: Bool

  /// Interprets the tags and metadata of a stream.
  /// - Parameters:
  ///   - color: Tags of the stream, all specified.
  ///   - metadata: HDR metadata of the stream.
  ///   - opticalOutputScale: Luminance in cd/m² of 1.0 in linear buffers of PQ content.
  ///   - stated: Overrides the descriptor derived from tags and metadata; nil: no override.
  /// - Throws: `Failure` for unsupported tags.
  public init(
    color: ColorDescription, metadata: HDRMetadata = HDRMetadata(),
    opticalOutputScale: Double = EDRMetadata.defaultOpticalOutputScale, stated: StatedDescriptor? = nil
  ) throws(Failure) {
    guard let primaries = color.primaries.space else { throw .unsupportedPrimaries(color.primaries) }
    self.primaries = primaries
    isUnmapped = stated == StatedDescriptor.none
    var scale = opticalOutputScale
    switch stated {
    case nil:
      self.metadata = EDRMetadata.describing(
        transfer: color.transfer, metadata: metadata, opticalOutputScale: opticalOutputScale)
    case StatedDescriptor.none?: self.metadata = nil
    case .metadata(let descriptor)?:
      switch (descriptor.kind, color.transfer) {
      case (.hlg, .pq), (.hdr10, .hlg): throw .contradictoryDescriptor(color.transfer)
      case (.hlg, _): break
      case (.hdr10(let own), _): scale = own
      }
      self.metadata = descriptor
    }
    switch color.transfer {
    case .pq: transfer = .pq(unit: scale)
    case .hlg: transfer = .hlg
    // Camera curves; the display is BT.1886, as BT.709 and BT.2020 specify.
    case .bt709, .smpte170M, .smpte240M, .bt2020TenBit, .bt2020TwelveBit, .iec61966_2_4, .bt1361:
      transfer = .bt1886(peak: 1)
    case .sRGB: transfer = .sRGB(peak: 1)
    case .gamma22: transfer = .power(exponent: 2.2, peak: 1)
    case .gamma28: transfer = .power(exponent: 2.8, peak: 1)
    // If the unit of linear light is not stated, 1.0 is diffuse white, as in bands.
    case .linear: transfer = .linear(unit: stated == nil ? (metadata.linearUnit ?? scale) / scale : 1)
    case .log100, .log316, .smpteST428, .unspecified: throw .unsupportedTransfer(color.transfer)
    }
  }

  /// Returns the same light without the metadata of its stream.
  /// - Parameter isShownAsIs: Whether no curve is applied.
  package func inReferenceMode(isShownAsIs: Bool) -> ContentInterpretation {
    var result = self
    result.isUnmapped = isUnmapped || isShownAsIs
    if case .hdr10(let scale) = metadata?.kind {
      result.metadata = .describing(transfer: .pq, metadata: HDRMetadata(), opticalOutputScale: scale)
    } else if metadata?.kind == .hlg {
      result.metadata = .hlg
    }
    return result
  }
}
