internal import Sessions

/// Messages about the conversion of a library that several checks share.
extension Message {
  static func neitherFileNorFolder(_ name: String) -> Message {
    Message(
      "neither-file-nor-folder",
      "'\(name)' is neither a file nor a folder: with more than one input, or an output folder, every input must be "
        + "one.")
  }

  /// - Parameter reason: The system's error message.
  static func folderNotReadable(_ folder: String, _ reason: String) -> Message {
    Message("folder-not-readable", "Cannot read the folder '\(folder)': \(reason).")
  }

  static func filmWouldBeReplaced(_ input: String, by output: String) -> Message {
    Message(
      "film-would-be-replaced",
      "The output '\(output)' would replace the input '\(input)': name another folder with \(.destination), "
        + "or another \(.suffix).")
  }

  /// The output of several films has to be a folder.
  /// - Parameter name: The given output; empty or "-": none.
  static func outputFolderNeeded(_ name: String) -> Message {
    if name.isEmpty || name == "-" {
      return Message(
        "output-folder-needed",
        "More than one film needs a folder for the outputs: name it with \(.destination, "FOLDER/").")
    }
    return Message(
      "output-folder-needed",
      "'\(name)' is not a folder, which more than one film needs for the outputs: end the name of a new one with /.")
  }

  /// - Parameters:
  ///   - films: The inputs of the two films.
  ///   - differByCase: The outputs differ only in case, or in the normalization of accents.
  static func oneOutput(of films: (String, String), _ output: String, differByCase: Bool) -> Message {
    let difference =
      differByCase
      ? ", but for upper and lower case or the form of accents, which not every file system tells apart" : ""
    return Message(
      "one-output-of-two-films",
      "'\(films.0)' and '\(films.1)' would both become '\(output)'\(difference): rename one, or convert them into "
        + "different folders.")
  }

  /// - Parameters:
  ///   - name: The first output.
  ///   - count: Number of outputs, the first included.
  static func outputsExist(_ name: String, count: Int) -> Message {
    let found =
      count == 1 ? "'\(name)' already exists" : "'\(name)' and \(count - 1) more of the outputs already exist"
    return Message(
      "film-outputs-exist", "\(found): \(.skipExisting) converts the rest, \(.overwrite) converts all again.")
  }
}
