internal import Files
internal import Glibc

/// Names of outputs that were stopped early: "film.partial.mkv" for "film.mkv", with the container's suffix.
package struct PartialName {
  private let place: FileLocation
  /// Files that are neither replaced nor removed.
  private let kept: Set<FileStatus.Identity>

  /// Maximum number of names that are tried if other programs' files have them.
  private static let maximumTries = 1000

  /// - Parameters:
  ///   - path: The name of the complete output.
  ///   - inputs: Files that are read, which are neither replaced nor removed.
  package init(of path: String, but inputs: [String] = []) {
    place = FileLocation(path)
    kept = Set(inputs.compactMap { MediaName.path($0).flatMap { FileStatus($0)?.identity } })
  }

  /// - Parameter number: From 1; higher if another program's file has the name.
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

  /// Whether a file name is one of these names.
  package static func isOne(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.dropFirst().suffix(2).contains {
      $0 == "partial" || $0.hasPrefix("partial-") && Int($0.dropFirst(8)) != nil
    }
  }

  /// Renames a file to one of these names.
  /// - Parameters:
  ///   - descriptor: Descriptor of the file.
  ///   - isRepeatable: The output can be made again: the next partial file replaces this one, and the complete output
  ///     removes it. Files without this mark are never replaced.
  /// - Returns: The new name.
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

  /// Removes the leftovers of an earlier run, now that the output is complete.
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
