internal import ColorScience
public import Frames

/// The background of transparent pictures: an sRGB colour, whose white is reference white.
///
/// Reference white is 203 cd/m² for absolute light (PQ, and linear light with a stated unit), signal 0.75 for HLG, and
/// 1 otherwise.
/// Source: ITU-R BT.2408-8 (2024), 2.1, for reference white.
public struct Background: Sendable, Hashable, CodableByName {
  /// As the user wrote it: "black", "white" or "#RRGGBB".
  public let name: String
  /// Linear R, G, B in BT.709 primaries, 0...1; 1 is reference white.
  public let light: SIMD3<Double>

  /// Black.
  public static let black = Background(name: "black", light: SIMD3(repeating: 0))
  /// Reference white.
  public static let white = Background(name: "white", light: SIMD3(repeating: 1))

  init(name: String, light: SIMD3<Double>) {
    self.name = name
    self.light = light
  }

  /// Parses a background.
  /// - Parameter name: "black", "white", or "#RRGGBB" with sRGB code values of two hexadecimal digits.
  /// - Returns: nil for anything else.
  public static func named(_ name: String) -> Background? {
    switch name.lowercased() {
    case "black": return .black
    case "white": return .white
    case let text:
      let digits = text.dropFirst()
      guard text.hasPrefix("#"), digits.utf8.count == 6, digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
        let codes = Int(digits, radix: 16), codes >= 0
      else { return nil }
      func light(_ shift: Int) -> Double { SRGB.eotf(Double(codes >> shift & 0xFF) / 255) }
      return Background(name: text.uppercased(), light: SIMD3(light(16), light(8), light(0)))
    }
  }
}
