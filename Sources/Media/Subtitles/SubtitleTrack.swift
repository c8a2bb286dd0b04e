/// Subtitles of a stream, decoded: either text or pictures.
public struct SubtitleTrack: Sendable {
  /// The subtitles.
  public enum Content: Sendable {
    /// Lines of an ASS script.
    case script(SubtitleScript)
    /// Pictures, in the order of their times; each replaces the one before it.
    case pictures([SubtitlePicture])
  }

  /// The subtitles.
  public var content: Content
  /// Subtitles that could not be decoded.
  public var errors: Int

  /// - Parameters:
  ///   - content: The subtitles.
  ///   - errors: Subtitles that could not be decoded.
  public init(_ content: Content, errors: Int = 0) { (self.content, self.errors) = (content, errors) }

  /// Number of subtitles.
  public var count: Int {
    switch content {
    case .script(let script): script.lines.count
    case .pictures(let pictures): pictures.count { !$0.parts.isEmpty }
    }
  }
}

/// Text subtitles as an ASS script.
public struct SubtitleScript: Sendable {
  /// A line of dialogue.
  public struct Line: Sendable {
    /// When it appears, in milliseconds of the input's clock.
    public var start: Int64
    /// How long it is shown, in milliseconds.
    public var duration: Int64
    /// The fields of the event as Matroska stores them: "ReadOrder,Layer,Style,...,Text".
    public var text: [UInt8]

    /// - Parameters:
    ///   - start: In milliseconds.
    ///   - duration: In milliseconds.
    ///   - text: The fields of the event, as Matroska stores them.
    public init(start: Int64, duration: Int64, text: [UInt8]) {
      (self.start, self.duration, self.text) = (start, duration, text)
    }
  }

  /// A font embedded in the file.
  public struct Font: Sendable {
    /// Name of the attached file.
    public var name: String
    /// Its contents.
    public var bytes: [UInt8]

    /// - Parameters:
    ///   - name: Name of the attached file.
    ///   - bytes: Its contents.
    public init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  /// The sections of the script before its events.
  public var header: [UInt8]
  /// The stream is ASS itself; otherwise its text was converted, and the style is FFmpeg's default.
  public var isNative: Bool
  /// In the order of the file.
  public var lines: [Line]
  /// Fonts embedded in the file.
  public var fonts: [Font]

  /// A script.
  public init(header: [UInt8], isNative: Bool, lines: [Line] = [], fonts: [Font] = []) {
    (self.header, self.isNative, self.lines, self.fonts) = (header, isNative, lines, fonts)
  }
}
