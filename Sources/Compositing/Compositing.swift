public import Media

/// How pictures with alpha are composited.
public struct Compositing: Sendable, Hashable, Codable {
  /// The background; nil: alpha is ignored, and colours are as stored.
  public var background: Background?
  /// Overrides given by the user, which take precedence over the file's tags.
  public var tags: ColorTags

  /// Over black, with the file's tags.
  public init(background: Background? = .black, tags: ColorTags = ColorTags()) {
    self.background = background
    self.tags = tags
  }

  /// A note about a picture with transparency.
  /// - Parameters:
  ///   - isPremultiplied: Colours are premultiplied by alpha.
  ///   - isPossible: The light of the samples is known.
  package func note(isPremultiplied: Bool, isPossible: Bool = true) -> String {
    let kind = isPremultiplied ? "premultiplied" : "straight"
    guard let background else {
      return "Its alpha (\(kind)) is ignored: colours are as they are stored."
    }
    guard isPossible else {
      return "Its alpha (\(kind)) is ignored: the light of its samples is unknown, or cannot be read with alpha."
    }
    return "Its alpha (\(kind)) is composited over \(background.name) in linear light."
  }
}
