public import ToneMapping

/// A descriptor as it is written: "none", "hlg", or "hdr10:min=0.005:max=1000:scale=100", of which each part may be left out.
public struct DescriptorArgument: RawRepresentable, Sendable, Hashable, Codable {
  /// What is written.
  public let rawValue: String
  /// What it means.
  public let stated: ContentInterpretation.StatedDescriptor

  private static let scales = 1.0...10_000

  /// nil if it is none of them, or a number is impossible: the peak is 80 to 10,000 cd/m² and above the black, the scale 1 to
  /// 10,000 cd/m².
  public init?(rawValue: String) {
    self.rawValue = rawValue
    var parts = rawValue.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let kind = parts.removeFirst()
    switch (kind, parts.isEmpty) {
    case ("none", true): stated = .none
    case ("hlg", true): stated = .metadata(.hlg)
    case ("hdr10", _):
      var values = [
        "min": EDRMetadata.defaultMinLuminance, "max": EDRMetadata.defaultMaxLuminance,
        "scale": EDRMetadata.defaultOpticalOutputScale,
      ]
      for part in parts {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, let value = Double(pair[1]), value.isFinite,
          values.updateValue(value, forKey: String(pair[0])) != nil
        else { return nil }
      }
      guard let least = values["min"], let most = values["max"], let scale = values["scale"],
        Self.scales.contains(scale)
      else { return nil }
      let metadata = EDRMetadata.hdr10(minLuminance: least, maxLuminance: most, opticalOutputScale: scale)
      guard metadata.ignored.isEmpty else { return nil }
      stated = .metadata(metadata)
    default: return nil
    }
  }
}
