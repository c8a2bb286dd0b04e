internal import Glibc

/// A file as its folder and its name.
public struct FileLocation: Sendable, Hashable {
  /// "." if the path has none.
  public let folder: String
  public let name: String

  public init(_ path: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      (folder, name) = (".", path)
      return
    }
    name = String(path[path.utf8.index(after: slash)...])
    let before = String(path[..<slash])
    folder = before.isEmpty ? "/" : before
  }

  /// A file in a folder.
  public static func path(_ folder: String, _ name: String) -> String {
    folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
  }

  /// The names in a folder; nil if it cannot be read, with the reason in `errno`.
  public static func names(in folder: String) -> [String]? {
    guard let open = unsafe opendir(folder.systemName) else { return nil }
    defer { unsafe closedir(open) }
    var names: [String] = []
    while let entry = unsafe readdir(open) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { unsafe String(systemName: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// A folder could not be created.
  public struct FolderFailure: Error, Sendable, Hashable {
    /// A value of `errno`.
    public let code: Int32
  }

  /// Creates a folder and its missing parents.
  public static func makeFolder(_ path: String) throws(FolderFailure) {
    if unsafe mkdir(path.systemName, 0o777) == 0 || FileStatus(path)?.kind == .folder { return }
    let code = errno
    let parent = FileLocation(path).folder
    guard code == ENOENT, parent != path, parent != "." else { throw FolderFailure(code: code) }
    try makeFolder(parent)
    if unsafe mkdir(path.systemName, 0o777) != 0, errno != EEXIST { throw FolderFailure(code: errno) }
  }

  /// The path of the file that `path` names, with symbolic links resolved, whether it exists or not.
  public static func resolved(_ path: String) -> String { resolved(path, depth: 0) }

  /// Maximum number of links that are followed, as in Linux.
  private static let maximumLinks = 40

  private static func resolved(_ path: String, depth: Int) -> String {
    if let whole = real(path) { return whole }
    // Links in /proc lead to pipes, which have no path.
    if FileStatus(path) != nil { return path }
    let place = FileLocation(path)
    if depth < maximumLinks, FileStatus(path, followsLinks: false)?.kind == .link, let target = link(path) {
      // A link to a file that does not exist yet.
      let next = target.utf8.first == UInt8(ascii: "/") ? target : FileLocation.path(place.folder, target)
      return resolved(next, depth: depth + 1)
    }
    guard let folder = real(place.folder) else { return path }
    return FileLocation.path(folder, place.name)
  }

  private static func real(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path.systemName, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(systemName: resolved)
  }

  private static func link(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path.systemName, &bytes, bytes.count - 1)
    return count < 0 ? nil : String(systemBytes: bytes[..<count].map { UInt8(bitPattern: $0) })
  }
}
