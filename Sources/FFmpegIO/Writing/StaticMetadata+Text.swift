package import ColorScience
public import Frames

extension ChromaLocation {
  /// The names in libaom and SVT-AV1: AV1 has two sitings. Source: AV1 Bitstream & Decoding Process Specification
  /// (2019), 6.4.2.
  package var av1Text: String {
    switch self {
    case .left: "vertical"
    case .topLeft: "colocated"
    default: "unknown"
    }
  }
}

extension MasteringDisplay {
  /// The syntax of x264 and x265: chromaticities in units of 0.00002, luminance in units of 0.0001 cd/m².
  public var integerText: String {
    func pair(_ color: Chromaticity) -> String { "(\(color.x),\(color.y))" }
    return "G\(pair(green))B\(pair(blue))R\(pair(red))WP\(pair(white))L(\(maxLuminance),\(minLuminance))"
  }

  /// The syntax of SVT-AV1: chromaticities as decimals, luminance in cd/m².
  public var decimalText: String {
    func pair(_ color: Chromaticity) -> String {
      "(\(Double(color.x) / Self.chromaticityUnits),\(Double(color.y) / Self.chromaticityUnits))"
    }
    return "G\(pair(green))B\(pair(blue))R\(pair(red))WP\(pair(white))L(\(maxNits),\(minNits.plain))"
  }
}

extension HDRMetadata {
  /// Both parts, if present, for messages.
  var words: [String] { [masteringDisplay?.words, contentLight?.words].compactMap(\.self) }
}

extension MasteringDisplay {
  var words: String { "the mastering display \(integerText)" }
}

extension ContentLight {
  var words: String { "MaxCLL and MaxFALL of \(text)" }
}

extension Double {
  /// Without an exponent: 0.0001, not 1e-04. For multiples of 0.0001.
  fileprivate var plain: String {
    let units = UInt64((self * MasteringDisplay.luminanceUnits).rounded())
    let fraction = String(units % 10_000)
    return "\(units / 10_000)." + String(repeating: "0", count: 4 - fraction.count) + fraction
  }
}

extension ContentLight {
  /// The syntax of x264, x265 and SVT-AV1, in cd/m².
  public var text: String { "\(maxCLL),\(maxFALL)" }
}
