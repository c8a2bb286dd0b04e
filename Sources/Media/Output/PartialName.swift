internal import Files
internal import Glibc

/// Names of outputs that were stopped before their end: "film.partial.mkv" of "film.mkv". The container can still be told by the suffix.
package struct PartialName {
  private let place: FileLocation
  /// Files that are neither replaced nor removed.
  private let kept: Set<FileStatus.Identity>

  /// Names that are tried where others' files have them.
  private static let maximumTries = 1000

  /// - Parameters:
  ///   - path: The name of the whole output.
  ///   - inputs: Files that are read, which are neither replaced nor removed.
  package init(of path: String, but inputs: [String] = []) {
    place = FileLocation(path)
    kept = Set(inputs.compactMap { MediaName.path($0).flatMap { FileStatus($0)?.identity } })
  }

  /// - Parameter number: From 1; more for outputs whose name somebody else's file has.
  package func path(_ number: Int = 1) -> String {
    let name = place.name
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil }
    let mark = number > 1 ? ".partial-\(number)" : ".partial"
    let end = dot.map { String(name[$0...]) } ?? ""
    var stem = dot.map { String(name[..<$0]) } ?? name
    while !stem.isEmpty, stem.systemBytes.count + mark.utf8.count + end.systemBytes.count > Int(NAME_MAX) {
      stem.removeLast()
    }
    return FileLocation.path(place.folder, stem + mark + end)
  }

  /// Whether a file's name is one of these.
  package static func isOne(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.dropFirst().suffix(2).contains {
      $0 == "partial" || $0.hasPrefix("partial-") && Int($0.dropFirst(8)) != nil
    }
  }

  /// Gives a file one of these names.
  /// - Parameters:
  ///   - descriptor: Of the file.
  ///   - isRepeatable: It can be made again: the next one replaces it, and the whole output removes it. Files without this mark are never
  ///     replaced.
  /// - Returns: The name.
  func take(_ file: String, descriptor: Int32, isRepeatable: Bool) throws(DurableFile.Failure) -> String {
    if isRepeatable { FileMark.set(on: descriptor) }
    var code = EEXIST
    for number in 1...Self.maximumTries {
      let path = path(number)
      code = FileRenaming.rename(file, to: path, replaces: isRepeatable && isOurs(path))
      if code == 0 { return path }
      if code != EEXIST { break }
    }
    throw DurableFile.Failure(.rename, code)
  }

  /// Removes what an earlier run has left, now that the output is whole.
  func removeSuperseded() {
    for number in 1...Self.maximumTries {
      let path = path(number)
      guard FileStatus(path, followsLinks: false) != nil else { return }
      if isOurs(path) { unsafe unlink(path.systemName) }
    }
  }

  private func isOurs(_ path: String) -> Bool {
    FileMark.isOn(path) && !(FileStatus(path).map { kept.contains($0.identity) } ?? false)
  }
}
