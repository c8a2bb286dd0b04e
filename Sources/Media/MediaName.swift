internal import Files

/// Names of inputs and outputs as users write them.
public enum MediaName {
  /// The path of the file that a name stands for; nil for "-", URLs and file descriptors of this process.
  ///
  /// "12:30.mp4" is a file, not the protocol "12".
  public static func path(_ name: String) -> String? {
    if name == "-" || name.contains("://") || name.hasPrefix("pipe:") || name.hasPrefix("fd:") { return nil }
    return name.hasPrefix("file:") ? String(name.dropFirst(5)) : name
  }

  /// The same with symbolic links resolved.
  public static func resolvedPath(_ name: String) -> String? { path(name).map(FileLocation.resolved) }
}
