internal import Sessions

/// The films of a library, and what happens to each.
public struct LibraryPlan: Sendable, Hashable, Codable {
  /// A film to convert.
  public struct Film: Sendable, Hashable, Codable {
    /// Input file.
    public let input: String
    /// Output file.
    public let output: String
    /// Path relative to the input folder; the file name if the file itself was listed.
    public let name: String
    /// The file itself was listed, not found in a folder.
    public let isNamed: Bool
  }

  /// A folder that cannot be read.
  public struct Unreadable: Sendable, Hashable, Codable {
    /// The folder.
    public let folder: String
    /// The system's error message.
    public let reason: String
  }

  /// The request.
  public let request: LibraryRequest
  /// Films in the order in which they start. Whether a file is HDR is known only when it is opened.
  public let films: [Film]
  /// Films whose output exists, and which count as done.
  public let existing: [Film]
  /// Subfolders of the inputs that cannot be read, and why.
  public let unreadable: [Unreadable]
  /// Subfolders of the inputs that are skipped because they hold the outputs.
  public let leftOut: [String]
}
