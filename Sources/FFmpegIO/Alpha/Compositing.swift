public import Media

/// How pictures with alpha are shown.
public struct Compositing: Sendable, Hashable, Codable {
  /// What lies behind them; nil: alpha is left out, and colours are as they are stored.
  public var background: Background?
  /// The overrides given by the user, which take precedence over the tags of the file.
  public var tags: ColorTags

  /// Over black, by the file's own tags.
  public init(background: Background? = .black, tags: ColorTags = ColorTags()) {
    self.background = background
    self.tags = tags
  }

  /// What the user should know of a picture that is transparent in places.
  /// - Parameters:
  ///   - isPremultiplied: Colours are stored times alpha.
  ///   - isPossible: The light of its samples is known.
  package func note(isPremultiplied: Bool, isPossible: Bool = true) -> String {
    let kind = isPremultiplied ? "premultiplied" : "straight"
    guard let background else {
      return "Its alpha (\(kind)) is left out: colours are as they are stored."
    }
    guard isPossible else {
      return "Its alpha (\(kind)) is left out: what light its samples are is not known, or not read with alpha."
    }
    return "Its alpha (\(kind)) is laid over \(background.name) in linear light."
  }
}
