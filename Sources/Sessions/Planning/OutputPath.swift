internal import Files
package import ImageFiles
package import Media

/// The name of an output, as requested.
package struct OutputPath {
  let name: String

  package init(_ name: String) { self.name = name }

  /// Checks that existing files are replaced only on request, and inputs never.
  /// - Throws: `Refusal`.
  package func check(reading inputs: [String], overwrites: Bool) throws(Refusal) {
    guard let path = MediaName.resolvedPath(name) else { return }
    if inputs.contains(where: { MediaName.resolvedPath($0)?.isSameName(as: path) ?? false }) {
      throw .invalid("output-is-input", "'\(name)' is an input: give the output another name.")
    }
    try checkSequences(inputs, FileNames(file: path))
    guard let status = FileStatus(path) else { return }
    if status.kind == .folder { throw .invalid(.outputIsFolder(name)) }
    if status.kind == .regular, !overwrites {
      throw .failed(.outputExists(name))
    }
  }

  /// Checks the files of a file name pattern in the same way, including their sidecars.
  /// - Parameters:
  ///   - first: Number of the first file.
  ///   - count: Number of files that will be written, if known.
  ///   - hasSidecars: Each file has a text file beside it.
  package func check(
    _ names: FileNames, from first: Int, count: Int?, hasSidecars: Bool, reading inputs: [String], overwrites: Bool
  ) throws(Refusal) {
    guard names.hasNumber else {
      try check(reading: inputs, overwrites: overwrites)
      if hasSidecars, MediaName.resolvedPath(name) != nil {
        try OutputPath(name + FileNames.sidecarSuffix).check(reading: inputs, overwrites: overwrites)
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
    for input in inputs {
      if let path = MediaName.resolvedPath(input), FileLocation(path).folder.isSameName(as: folder),
        isWritten(FileLocation(path).name)
      {
        throw .invalid(
          "input-among-outputs",
          "The input '\(input)' is one of the files of '\(name)': give the output other names.")
      }
    }
    try checkSequences(inputs, names)
    if overwrites { return }
    if let file = (FileLocation.names(in: folder) ?? []).sorted().first(where: isWritten) {
      throw .failed(
        "output-files-exist",
        "'\(file)' already exists in '\(folder)': give another pattern, or add \(.overwrite) to replace existing "
          + "files.")
    }
  }

  /// Checks that the output is not among numbered pictures of the input.
  private func checkSequences(_ inputs: [String], _ outputs: FileNames) throws(Refusal) {
    for input in inputs {
      // Errors in the input's name are reported when it is opened.
      guard let sequence = try? ImageSequence(pattern: input), sequence.overlaps(outputs) else { continue }
      throw .invalid(
        "replaces-input-files",
        "'\(name)' would replace files of the input '\(input)': give the output another name.")
    }
  }

  /// Whether another output is the same file, or one of the files of a file name pattern.
  package func isSame(as other: String, names: FileNames? = nil) -> Bool {
    guard let mine = MediaName.resolvedPath(name) else { return name.isSameName(as: other) }
    if let names, names.hasNumber {
      let place = FileLocation(mine)
      return place.folder.isSameName(as: Self.folder(of: names.name(0)))
        && names.lastComponent.number(of: place.name) != nil
    }
    return MediaName.resolvedPath(other)?.isSameName(as: mine) ?? false
  }

  private static func folder(of name: String) -> String {
    let path = name.hasPrefix("file:") ? String(name.dropFirst(5)) : name
    return FileLocation.resolved(FileLocation(path).folder)
  }

  /// Checks that a sidecar file can be written and is not also an input or another output.
  /// - Parameters:
  ///   - parameter: The parameter that names this file.
  ///   - outputs: The other outputs, with the parameters that name them.
  ///   - names: The names of numbered pictures.
  package func checkBeside(
    _ parameter: Parameter, reading inputs: [String], outputs: [(parameter: Parameter, name: String?)],
    names: FileNames? = nil,
    overwrites: Bool
  ) throws(Refusal) {
    guard !name.isEmpty else { throw .invalid(.noFileName(parameter)) }
    if let other = outputs.first(where: { $0.name.map { isSame(as: $0) } ?? false })?.parameter {
      throw .invalid(.sameFile(parameter, other))
    }
    if let names, isSame(as: "", names: names) {
      throw .invalid("file-among-pictures", "\(parameter) names one of the pictures: give it another name.")
    }
    if name != "-" { try check(reading: inputs, overwrites: overwrites) }
  }

  /// Returns the file that will be written; nil for standard output. Checked before the work begins.
  /// - Throws: `Refusal`, `OutputError`.
  package func file(reading inputs: [String], overwrites: Bool) throws -> OutputFile? {
    guard name != "-" else { return nil }
    guard MediaName.path(name) != nil else {
      throw Refusal.invalid("not-a-file", "'\(name)' is not a file: name one, or - for standard output.")
    }
    try check(reading: inputs, overwrites: overwrites)
    return try OutputFile(name, replaces: overwrites)
  }
}

extension FileNames {
  /// Returns the file names that an output stands for. If a file with exactly this name exists, the name stands for
  /// that file, whatever characters it contains.
  /// - Throws: `Refusal` that states what is wrong with the name.
  static func checked(_ output: String) throws(Refusal) -> FileNames {
    if FileStatus(output)?.kind == .regular { return FileNames(file: output) }
    let names: FileNames
    do {
      names = try FileNames(output)
    } catch {
      switch error {
      case .manyNumbers:
        throw .invalid("many-numbers-in-file-name", "'\(output)' has two places for a number: keep one.")
      case .unknownField(let field):
        throw .invalid(
          "unknown-field-in-file-name",
          "'\(field)' in '\(output)' is not a place for a number: write %d, %06d, or %% for a percent sign.")
      case .tooManyDigits(let digits):
        throw .invalid("too-many-digits-in-file-name", "'\(output)' asks for \(digits) digits: %06d will do.")
      }
    }
    if names.numbersFolders {
      throw .invalid(
        "number-in-folder-name",
        "The number in '\(output)' is in the name of a folder: put it in the file name.")
    }
    return names
  }
}
