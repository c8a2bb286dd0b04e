public import Rendering
internal import ToneMapping

/// A descriptor as text: "none", "hlg", or "hdr10:min=0.005:max=1000:scale=100" with optional parameters.
public struct DescriptorArgument: RawRepresentable, Sendable, Hashable, Codable {
  /// The text.
  public let rawValue: String
  /// The parsed descriptor.
  public let stated: ContentInterpretation.StatedDescriptor

  private static let scales = 1.0...10_000

  /// Why a text is not a descriptor.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that states what is valid.
    public let description: String

    fileprivate init(_ description: String) { self.description = description + "." }
  }

  /// nil if invalid; `init(parsing:)` gives the reason.
  public init?(rawValue: String) {
    guard let parsed = try? DescriptorArgument(parsing: rawValue) else { return nil }
    self = parsed
  }

  /// Parses a descriptor.
  /// - Throws: `Failure` for other texts and impossible values: the peak is 80 to 10,000 cd/m² and above the black, the
  ///   scale 1 to 10,000 cd/m².
  public init(parsing text: String) throws(Failure) {
    rawValue = text
    var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let kind = parts.removeFirst()
    switch (kind, parts.isEmpty) {
    case ("none", true): stated = .none
    case ("hlg", true): stated = .metadata(.hlg)
    case ("hdr10", _): stated = .metadata(try Self.hdr10(parts))
    case ("none", false), ("hlg", false): throw Failure("'\(kind)' has no values")
    default:
      throw Failure("use none, hlg, or hdr10 with min, max and scale, such as hdr10:min=0.005:max=1000:scale=100")
    }
  }

  private static func hdr10(_ parts: [String]) throws(Failure) -> EDRMetadata {
    var values: [String: Double] = [:]
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, ["min", "max", "scale"].contains(pair[0]) else {
        throw Failure("'\(part)' is not min=N, max=N or scale=N")
      }
      guard let value = Double(pair[1]), value.isFinite else { throw Failure("'\(pair[1])' is no number of cd/m²") }
      guard values.updateValue(value, forKey: pair[0]) == nil else { throw Failure("\(pair[0]) is given twice") }
    }
    let scale = values["scale"] ?? EDRMetadata.defaultOpticalOutputScale
    guard scales.contains(scale) else {
      throw Failure("scale takes \(scales.lowerBound) to \(scales.upperBound) cd/m², not \(scale)")
    }
    let metadata = EDRMetadata.hdr10(
      minLuminance: values["min"] ?? EDRMetadata.defaultMinLuminance,
      maxLuminance: values["max"] ?? EDRMetadata.defaultMaxLuminance, opticalOutputScale: scale)
    guard metadata.ignored.isEmpty else { throw Failure("max takes 80 to 10000 cd/m², and min 0 to less than max") }
    return metadata
  }
}
