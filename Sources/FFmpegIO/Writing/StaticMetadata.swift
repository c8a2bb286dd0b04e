package import ColorScience
public import Frames

extension MasteringDisplay {
  /// Parses a mastering display.
  /// - Parameter text: "G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)", in any order: x265's syntax in integers of 0.00002 and
  ///   0.0001 cd/m², or SVT-AV1's in decimals of 1 and 1 cd/m² (if a chromaticity has a decimal point).
  /// - Returns: nil unless everything is present exactly once and in range.
  public init?(text: String) {
    var pairs: [String: (String, String)] = [:]
    var rest = text.filter { !$0.isWhitespace }[...]
    while !rest.isEmpty {
      let name = String(rest.prefix { $0 != "(" })
      guard let close = rest.firstIndex(of: ")"), pairs[name] == nil else { return nil }
      let inside = rest[..<close].dropFirst(name.count + 1).split(separator: ",", omittingEmptySubsequences: false)
      guard inside.count == 2 else { return nil }
      pairs[name] = (String(inside[0]), String(inside[1]))
      rest = rest[close...].dropFirst()
    }
    guard pairs.count == 5, let green = pairs["G"], let blue = pairs["B"], let red = pairs["R"],
      let white = pairs["WP"], let light = pairs["L"]
    else { return nil }
    let isDecimal = [green, blue, red, white].contains { $0.0.contains(".") || $0.1.contains(".") }
    func units(_ text: String, _ scale: Double, limit: Double) -> Double? {
      guard let value = Double(text), value.isFinite else { return nil }
      let units = (isDecimal ? value * scale : value).rounded()
      return units >= 0 && units <= limit ? units : nil
    }
    func point(_ pair: (String, String)) -> Chromaticity? {
      guard let x = units(pair.0, Self.chromaticityUnits, limit: Self.chromaticityUnits),
        let y = units(pair.1, Self.chromaticityUnits, limit: Self.chromaticityUnits)
      else { return nil }
      return Chromaticity(x: UInt16(x), y: UInt16(y))
    }
    guard let g = point(green), let b = point(blue), let r = point(red), let w = point(white),
      let max = units(light.0, Self.luminanceUnits, limit: 10_000 * Self.luminanceUnits),
      let min = units(light.1, Self.luminanceUnits, limit: 10_000 * Self.luminanceUnits), min < max
    else { return nil }
    self.init(red: r, green: g, blue: b, white: w, maxLuminance: UInt32(max), minLuminance: UInt32(min))
  }

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

  var words: String { "the mastering display \(integerText)" }
}

extension ContentLight {
  /// Parses content light levels.
  /// - Parameter text: "cll,fall" in cd/m².
  /// - Returns: nil unless both are whole numbers up to 10000 and MaxFALL does not exceed MaxCLL.
  public init?(text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { UInt16($0) }
    guard parts.count == 2, let cll = parts[0], let fall = parts[1], cll <= 10_000, fall <= cll else { return nil }
    self.init(maxCLL: cll, maxFALL: fall)
  }

  var words: String { "MaxCLL and MaxFALL of \(text)" }

  /// The syntax of x264, x265 and SVT-AV1, in cd/m².
  public var text: String { "\(maxCLL),\(maxFALL)" }
}

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

extension HDRMetadata {
  /// Both parts, if present, for messages.
  var words: [String] { [masteringDisplay?.words, contentLight?.words].compactMap(\.self) }
}

extension Double {
  /// Without an exponent: 0.0001, not 1e-04. For multiples of 0.0001.
  fileprivate var plain: String {
    let units = UInt64((self * MasteringDisplay.luminanceUnits).rounded())
    let fraction = String(units % 10_000)
    return "\(units / 10_000)." + String(repeating: "0", count: 4 - fraction.count) + fraction
  }
}
