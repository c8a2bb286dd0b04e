internal import ImageFiles

extension FileNames {
  /// The names that an output stands for; that of standard output is no pattern, and holds no number.
  /// - Throws: `CommandFailure` that says what is wrong with them.
  static func checked(_ output: String) throws -> FileNames {
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
