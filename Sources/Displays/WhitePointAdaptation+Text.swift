internal import ColorScience

extension WhitePointAdaptation {
  /// A failure to parse an adaptation.
  public struct ParsingFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error as a sentence.
    public let description: String

    fileprivate init(_ description: String) { self.description = description }
  }

  /// Parses "measured=0.305,0.32,110:target=0.3127,0.329,100": CIE 1931 x and y, and optionally cd/m². The default
  /// target is D65.
  /// - Throws: If the text is malformed.
  public init(parsing text: String) throws(ParsingFailure) {
    var whites: [String: White] = [:]
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, ["measured", "target"].contains(pair[0]) else {
        throw ParsingFailure("'\(part)' is neither measured=x,y nor target=x,y.")
      }
      guard whites.updateValue(try White(parsing: pair[1]), forKey: pair[0]) == nil else {
        throw ParsingFailure("\(pair[0]) is given twice.")
      }
    }
    guard let measured = whites["measured"] else {
      throw ParsingFailure("what a meter shows is missing: measured=x,y.")
    }
    self.init(measured: measured, target: whites["target"] ?? White(.d65))
  }
}

extension WhitePointAdaptation.White {
  fileprivate init(parsing text: String) throws(WhitePointAdaptation.ParsingFailure) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard (2...3).contains(numbers.count), numbers.allSatisfy({ $0.isFinite && $0 > 0 }), numbers[0] + numbers[1] <= 1
    else {
      throw .init(
        "'\(text)' is no white: give CIE 1931 x and y, and cd/m² if they are known, such as 0.3127,0.329,100.")
    }
    self.init(Chromaticity(x: numbers[0], y: numbers[1]), luminance: numbers.count == 3 ? numbers[2] : nil)
  }
}
