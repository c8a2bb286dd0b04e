internal import Files
internal import Glibc

/// Consecutively numbered picture files, one per frame.
public struct ImageSequence: Sendable, Hashable {
  let names: FileNames
  /// Number of the first file.
  let first: Int
  /// Number of consecutive files.
  let count: Int
  /// The next existing number after a gap; nil: no gap.
  let next: Int?

  /// File name suffixes of pictures, including those that FFmpeg reads.
  private static let suffixes: Set = [
    "avif", "bmp", "cin", "dds", "dpx", "exr", "gif", "hdr", "heic", "heif", "j2k", "jp2", "jpeg", "jpg", "jxl", "pam",
    "pbm", "pcx", "pfm", "pgm", "phm", "png", "pnm", "ppm", "psd", "qoi", "sgi", "tga", "tif", "tiff", "webp", "xwd",
  ]

  /// Finds the files of a pattern.
  /// - Parameters:
  ///   - pattern: A pattern for `FileNames`.
  ///   - startNumber: Number of the first file; nil: the lowest that exists.
  /// - Returns: nil if the name has no number, is not a picture's, or is the name of an existing file.
  /// - Throws: `ImageFileError.unreadable` if no file matches, or none has this number.
  public init?(pattern: String, startNumber: Int? = nil) throws(ImageFileError) {
    let path = pattern.hasPrefix("file:") ? String(pattern.dropFirst(5)) : pattern
    guard path.contains("%"), !path.contains("://"), FileStatus(path) == nil,
      Self.suffixes.contains(ImageFormat.suffix(of: path).lowercased()), let names = try? FileNames(path),
      names.hasNumber, !names.numbersFolders
    else { return nil }
    let folder = FileLocation(names.name(0)).folder
    guard let there = FileLocation.names(in: folder) else {
      throw .unreadable(path: folder, reason: unsafe String(cString: strerror(errno)))
    }
    let last = names.lastComponent
    let numbers = Set(there.compactMap { last.number(of: $0) })
    guard let first = startNumber ?? numbers.min() else {
      throw .unreadable(path: pattern, reason: "there is no file with such a name and a number in it")
    }
    guard numbers.contains(first) else {
      throw .unreadable(path: pattern, reason: "there is no '\(last.name(first))' to start with")
    }
    let end = (first...).first { !numbers.contains($0) } ?? first
    self.names = names
    self.first = first
    count = end - first
    next = numbers.filter { $0 > end }.min()
  }

  /// A single file; nil if it does not exist.
  public init?(file: String) {
    guard FileStatus(file) != nil else { return nil }
    names = FileNames(file: file)
    (first, count, next) = (0, 1, nil)
  }

  /// Whether an output would overwrite a file of the pattern, including files before the first or after a gap.
  public func overlaps(_ outputs: FileNames) -> Bool {
    func folder(_ name: String) -> String { FileLocation.resolved(FileLocation(name).folder) }
    let place = folder(file(0))
    guard place == folder(outputs.name(0)) else { return false }
    let (own, others) = (names.lastComponent, outputs.lastComponent)
    return (FileLocation.names(in: place) ?? []).contains { name in
      own.number(of: name) != nil
        && (others.hasNumber ? others.number(of: name) != nil : others.name(0).isSameName(as: name))
    }
  }

  /// - Parameter index: Index from 0.
  func file(_ index: Int) -> String { names.name(first + index) }
}
