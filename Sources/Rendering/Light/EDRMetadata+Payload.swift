public import Frames

/// Why a descriptor could not be created.
public enum EDRMetadataError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mastering display colour volume has the wrong length.
  case displayInfo(SEIPayloadError)
  /// The content light level has the wrong length.
  case contentInfo(SEIPayloadError)
  /// The ambient viewing environment has the wrong length.
  case ambientViewingEnvironment(SEIPayloadError)

  public var description: String {
    switch self {
    case .displayInfo(let error): "mastering display colour volume: \(error)"
    case .contentInfo(let error): "content light level: \(error)"
    case .ambientViewingEnvironment(let error): "ambient viewing environment: \(error)"
    }
  }
}

extension EDRMetadata {
  /// Describes HDR10 content from the payloads of its SEI messages.
  /// - Parameters:
  ///   - displayInfo: 24 bytes of mastering display colour volume; nil: 0.005...1000 cd/m².
  ///   - contentInfo: 4 bytes of content light level; nil: the peak is the mastering display's.
  ///   - opticalOutputScale: Luminance in cd/m² of 1.0 in linear buffers, above 0.
  /// - Throws: `EDRMetadataError` if a payload has the wrong length.
  public static func hdr10(
    displayInfo: [UInt8]?, contentInfo: [UInt8]?, opticalOutputScale: Double = defaultOpticalOutputScale
  ) throws(EDRMetadataError) -> EDRMetadata {
    hdr10(
      display: try parsed(displayInfo, MasteringDisplay.init(seiPayload:), EDRMetadataError.displayInfo),
      light: try parsed(contentInfo, ContentLight.init(seiPayload:), EDRMetadataError.contentInfo),
      opticalOutputScale: opticalOutputScale)
  }

  /// Describes HLG content for a viewing environment.
  /// - Parameter ambientViewingEnvironment: 8 bytes of the SEI message of the same name.
  /// - Throws: `EDRMetadataError` if the payload has the wrong length.
  public static func hlg(ambientViewingEnvironment: [UInt8]) throws(EDRMetadataError) -> EDRMetadata {
    EDRMetadata(
      kind: .hlg, range: (0, defaultMaxLuminance), light: nil,
      ambientViewing: try parsed(
        ambientViewingEnvironment, AmbientViewing.init(seiPayload:), EDRMetadataError.ambientViewingEnvironment))
  }

  private static func parsed<Value>(
    _ payload: [UInt8]?, _ parse: ([UInt8]) throws(SEIPayloadError) -> Value,
    _ wrap: (SEIPayloadError) -> EDRMetadataError
  ) throws(EDRMetadataError) -> Value? {
    guard let payload else { return nil }
    do { return try parse(payload) } catch { throw wrap(error) }
  }
}
