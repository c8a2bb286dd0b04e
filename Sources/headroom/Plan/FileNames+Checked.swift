internal import Files
internal import ImageFiles

extension FileNames {
  /// The names that an output stands for; that of standard output is no pattern, and holds no number.
  /// A file that is there under just this name is that one file, whatever signs are in it.
  /// - Throws: `CommandFailure` that says what is wrong with them.
  static func checked(_ output: String) throws -> FileNames {
    if FileStatus(output)?.kind == .regular { return FileNames(file: output) }
    let names: FileNames
    do {
      names = try FileNames(output)
    } catch {
      throw CommandFailure(error, pattern: output)
    }
    if names.numbersFolders {
      throw CommandFailure(
        "The number of '\(output)' is in the name of a folder: put it into that of the file.", .usage)
    }
    return names
  }
}
