internal import ColorScience
public import Frames
public import Media

/// How pictures with alpha are composited.
public struct Compositing: Sendable, Hashable, Codable {
  /// The background; nil: alpha is ignored, and colours are as stored.
  public var background: Background?
  /// Overrides given by the user, which take precedence over the file's tags.
  public var tags: ColorTags

  /// Over black, with the file's tags.
  public init(background: Background? = .black, tags: ColorTags = ColorTags()) {
    (self.background, self.tags) = (background, tags)
  }

  /// A note about a picture with transparency.
  /// - Parameter isPossible: The light of the samples is known.
  package func note(isPremultiplied: Bool, isPossible: Bool = true) -> String {
    let kind = isPremultiplied ? "premultiplied" : "straight"
    guard let background
    else { return "Its alpha (\(kind)) is ignored: colours are as they are stored." }
    guard isPossible else {
      return "Its alpha (\(kind)) is ignored: the light of its samples is unknown, or cannot be read with alpha."
    }
    return "Its alpha (\(kind)) is composited over \(background.name) in linear light."
  }
}

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

  init(name: String, light: SIMD3<Double>) { (self.name, self.light) = (name, light) }

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
