internal import Sessions

/// The films of a library, and what becomes of each.
public struct LibraryPlan: Sendable, Hashable, Codable {
  /// A film that is converted.
  public struct Film: Sendable, Hashable, Codable {
    /// The file that is read.
    public let input: String
    /// The file that is written.
    public let output: String
    /// Below the folder that was named; the name of a file that was named itself.
    public let name: String
    /// It was named itself, and not found in a folder.
    public let isNamed: Bool
  }

  /// A folder that cannot be read.
  public struct Unreadable: Sendable, Hashable, Codable {
    /// The folder.
    public let folder: String
    /// In the system's words.
    public let reason: String
  }

  /// The request.
  public let request: LibraryRequest
  /// In the order in which they are begun. Whether a file is HDR is known only when it is opened.
  public let films: [Film]
  /// Films whose output exists: they are done.
  public let existing: [Film]
  /// Folders within the inputs that cannot be read, and why.
  public let unreadable: [Unreadable]
  /// Folders within the inputs that are left out, because the outputs are in them.
  public let leftOut: [String]
}
