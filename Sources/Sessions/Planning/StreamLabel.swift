/// A stream of an input, for messages.
public struct StreamLabel: Sendable, Hashable, Codable {
  /// "#1 audio aac (eng)"
  public var text: String
  /// The stream is audio.
  public var isAudio: Bool
  /// The stream is data: neither picture, audio nor subtitles.
  public var isData: Bool

  /// A stream that is neither audio nor data, unless specified.
  public init(text: String, isAudio: Bool = false, isData: Bool = false) {
    (self.text, self.isAudio, self.isData) = (text, isAudio, isData)
  }
}

extension [StreamLabel] {
  /// "#1 audio aac (eng), #3 subtitle subrip (fra)"
  var words: String { map(\.text).joined(separator: ", ") }
}
