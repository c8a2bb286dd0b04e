internal import FFmpegIO
internal import Files
internal import ImageFiles

/// The name of an output as the user wrote it.
struct OutputPath {
  let name: String

  init(_ name: String) { self.name = name }

  /// Nothing that exists is replaced unasked, and never the input.
  /// - Throws: `CommandFailure` that says what to do instead.
  func check(input: String?, overwrites: Bool) throws {
    guard let path = MediaWriter.file(at: name) else { return }
    if let input, let other = MediaWriter.file(at: input), path.isSameName(as: other) {
      throw CommandFailure("'\(name)' is the input: give the output another name.", .usage)
    }
    try checkSequence(input, FileNames(file: path))
    guard let status = FileStatus(path) else { return }
    if status.kind == .folder { throw CommandFailure("'\(name)' is a folder: name a file in it.", .usage) }
    if status.kind == .regular, !overwrites {
      throw CommandFailure("'\(name)' exists already: give another name, or add --overwrite to replace it.")
    }
  }

  /// The same for the files of a pattern, their texts included.
  /// - Parameters:
  ///   - first: Number of the first file.
  ///   - count: Files that will be written, where that is known.
  ///   - hasSidecars: A text is written beside each.
  func check(
    _ names: FileNames, from first: Int, count: Int?, hasSidecars: Bool, input: String?, overwrites: Bool
  ) throws {
    guard names.hasNumber else {
      try check(input: input, overwrites: overwrites)
      if hasSidecars, MediaWriter.file(at: name) != nil {
        try OutputPath(name + FileNames.sidecarSuffix).check(input: input, overwrites: overwrites)
      }
      return
    }
    let folder = Self.folder(of: names.name(first))
    func isWritten(_ file: String) -> Bool {
      let suffix = FileNames.sidecarSuffix
      let candidates = hasSidecars && file.hasSuffix(suffix) ? [file, String(file.dropLast(suffix.count))] : [file]
      return candidates.contains { name in
        names.lastComponent.number(of: name).map { $0 >= first && $0 - first < count ?? .max } ?? false
      }
    }
    if let input, let path = MediaWriter.file(at: input), FilePlace(path).folder.isSameName(as: folder),
      isWritten(FilePlace(path).name)
    {
      throw CommandFailure(
        "The input '\(input)' is one of the files of '\(name)': give the output other names.", .usage)
    }
    try checkSequence(input, names)
    if overwrites { return }
    if let file = (FilePlace.names(in: folder) ?? []).sorted().first(where: isWritten) {
      throw CommandFailure(
        "'\(file)' exists already in '\(folder)': give another pattern, or add --overwrite to replace such files.")
    }
  }

  /// The input may be numbered pictures, and the output one of them.
  private func checkSequence(_ input: String?, _ outputs: FileNames) throws {
    // What is wrong with the input is said when it is opened.
    guard let input, let sequence = try? ImageSequence(pattern: input), sequence.overlaps(outputs) else { return }
    throw CommandFailure(
      "'\(name)' would replace files of the input '\(input)': give the output another name.", .usage)
  }

  /// Whether another output is the same file, or one of those that a pattern of names stands for.
  func isSame(as other: String, names: FileNames? = nil) -> Bool {
    guard let mine = MediaWriter.file(at: name) else { return name.isSameName(as: other) }
    if let names, names.hasNumber {
      let place = FilePlace(mine)
      return place.folder.isSameName(as: Self.folder(of: names.name(0)))
        && names.lastComponent.number(of: place.name) != nil
    }
    return MediaWriter.file(at: other)?.isSameName(as: mine) ?? false
  }

  private static func folder(of name: String) -> String {
    let path = name.hasPrefix("file:") ? String(name.dropFirst(5)) : name
    return FilePlace.resolved(FilePlace(path).folder)
  }
}
