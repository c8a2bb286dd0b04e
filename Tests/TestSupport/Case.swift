import Foundation

/// Small inputs that once came out wrong, in `shared/cases` beside the project.
public enum Case {
  private static let folder = Clip.folder.deletingLastPathComponent().appendingPathComponent("cases")

  /// The path of a case; nil, with a note, where the folder is missing.
  public static func path(_ name: String) -> String? {
    let path = folder.appendingPathComponent(name).path
    if FileManager.default.fileExists(atPath: path) { return path }
    noteSkip("\(name), as it is not at \(folder.path)")
    return nil
  }
}
