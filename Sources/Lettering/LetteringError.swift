/// Why text cannot be drawn.
public enum LetteringError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The font was not found in any default location.
  case missingFont(searched: [String])
  /// The path is a folder, a pipe or a device.
  case notAFile(path: String)
  /// FreeType cannot read the file; includes its error code.
  case unreadableFont(path: String, code: Int)
  /// The file is a font, but not an outline font with a line height.
  case unusableFont(path: String)

  public var description: String {
    switch self {
    case .missingFont:
      "No font was found for text: install DejaVu Sans (apt-get install fonts-dejavu-core), "
        + "or name a font file in \(Typeface.environmentVariable)."
    case .notAFile(let path):
      "The font '\(path)' is not a file: \(Typeface.environmentVariable) takes the path of a TrueType or OpenType file."
    case .unreadableFont(let path, let code):
      "The font '\(path)' cannot be read (FreeType error \(code)): "
        + "\(Typeface.environmentVariable) takes the path of a TrueType or OpenType file."
    case .unusableFont(let path):
      "The font '\(path)' has no outlines to scale: "
        + "\(Typeface.environmentVariable) takes the path of a TrueType or OpenType file."
    }
  }
}
