internal import FFmpegIO
internal import Files
internal import Foundation
internal import Media
internal import Sessions

/// Finds the films of a library and their outputs.
struct LibraryListing {
  private let request: LibraryRequest
  /// The output folder, with symbolic links resolved.
  private let outputFolder: String
  private(set) var films: [LibraryPlan.Film] = []
  private(set) var leftOut: [String] = []
  private(set) var unreadable: [LibraryPlan.Unreadable] = []
  /// Folders already listed: links may form cycles.
  private var seen: Set<FileStatus.Identity> = []
  private var found: Set<Found> = []

  private struct Found: Hashable {
    let identity: FileStatus.Identity
    let output: String
  }

  /// - Throws: `Refusal` for names that are neither a file nor a folder, or that cannot be read.
  init(_ request: LibraryRequest) throws(Refusal) {
    self.request = request
    outputFolder = FileLocation.resolved(request.folder)
    for input in request.inputs { try add(input) }
    if films.isEmpty, unreadable.isEmpty {
      let names = request.inputs.map { "'\($0)'" }.joined(separator: ", ")
      throw .failed(
        "no-films",
        "There are no files with video in \(names), going by their suffixes: name such files explicitly.")
    }
  }

  private mutating func add(_ input: String) throws(Refusal) {
    let path = MediaName.path(input) ?? input
    switch FileStatus(path)?.kind {
    case .folder:
      if FileLocation.resolved(path) == outputFolder {
        throw .invalid(
          "input-is-output-folder",
          "The outputs would go into the input folder '\(input)': name another one with \(.destination).")
      }
      try addFolder(path, below: "", of: FileLocation.resolved(path))
    case .regular: add(path, below: "", isNamed: true)
    // Pipes and devices can be read only once, and give the output no name.
    case .link, .other: throw .invalid(.neitherFileNorFolder(input))
    case nil: throw .failed("no-such-film", "'\(input)' does not exist.")
    }
  }

  /// - Parameters:
  ///   - place: Path of the folder relative to the input folder.
  ///   - tree: The input folder, with links resolved: links that lead out of it are not followed.
  private mutating func addFolder(_ folder: String, below place: String, of tree: String) throws(Refusal) {
    guard let identity = FileStatus(folder)?.identity, seen.insert(identity).inserted else { return }
    guard let names = FileLocation.names(in: folder) else {
      let reason = unsafe String(cString: strerror(errno))
      if place.isEmpty { throw .failed(.folderNotReadable(folder, reason)) }
      return unreadable.append(LibraryPlan.Unreadable(folder: folder, reason: reason))
    }
    for name in names.sorted(by: Self.isBefore) where !name.hasPrefix(".") {
      let path = FileLocation.path(folder, name)
      switch FileStatus(path)?.kind {
      case .folder:
        let real = FileLocation.resolved(path)
        if real != outputFolder, real == tree || real.hasPrefix(FileLocation.path(tree, "")) {
          try addFolder(path, below: Self.path(place, name), of: tree)
        } else {
          leftOut.append(path)
        }
      // A dangling link counts as a film that fails.
      case .regular, nil: if Self.isFilm(name) { add(path, below: place, isNamed: false) }
      case .link, .other: break
      }
    }
  }

  /// Returns whether a file in a folder is a film, judging by its name.
  static func isFilm(_ name: String) -> Bool {
    ContainerTraits.suffixesOfFilms.contains(suffix(of: name).lowercased()) && !PartialName.isOne(name)
  }

  private mutating func add(_ path: String, below place: String, isNamed: Bool) {
    let name = FileLocation(path).name
    let own = Self.suffix(of: name)
    let suffix = request.chosenSuffix ?? (ContainerTraits.suffixesOfOutputs.contains(own.lowercased()) ? own : "mkv")
    let stem = own.isEmpty ? name : String(name.dropLast(own.count + 1))
    let output = FileLocation.path(request.folder, Self.path(place, stem + "." + suffix))
    // A file that is listed by name and also found in a folder counts once.
    if let identity = FileStatus(path)?.identity,
      !found.insert(Found(identity: identity, output: output)).inserted
    {
      return
    }
    films.append(LibraryPlan.Film(input: path, output: output, name: Self.path(place, name), isNamed: isNamed))
  }

  /// Sorts "2" before "10", and names that compare equal in a fixed order.
  private static func isBefore(_ one: String, _ other: String) -> Bool {
    let order = one.compare(other, options: [.numeric, .caseInsensitive])
    return order == .orderedSame ? one < other : order == .orderedAscending
  }

  private static func path(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : FileLocation.path(folder, name)
  }

  /// The suffix without the dot; empty if the name has none.
  private static func suffix(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// Checks that no two films share an output, and that no output is an input.
  /// - Throws: `Refusal`.
  func checkNames() throws(Refusal) {
    var inputs: [FileStatus.Identity: String] = [:]
    for film in films { if let identity = FileStatus(film.input)?.identity { inputs[identity] = film.input } }
    var outputs: [String: LibraryPlan.Film] = [:]
    for film in films {
      if let identity = FileStatus(film.output)?.identity, let input = inputs[identity] {
        throw .invalid(.filmWouldBeReplaced(input, by: film.output))
      }
      // Some file systems do not distinguish upper and lower case.
      guard let other = outputs.updateValue(film, forKey: film.output.lowercased()) else { continue }
      throw .invalid(
        .oneOutput(
          of: (other.input, film.input), film.output,
          differByCase: other.output.systemBytes != film.output.systemBytes))
    }
  }
}
