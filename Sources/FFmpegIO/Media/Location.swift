internal import CFFmpeg
internal import Files
internal import Foundation
internal import Media

/// A source or target of FFmpeg.
struct Location: Sendable {
  /// As the caller wrote it, for messages.
  let name: String
  /// The form that FFmpeg expects.
  let url: String
  /// The path of a local file.
  let path: String?

  init(_ name: String, standardStream: String) {
    self.name = name
    path = MediaName.path(name)
    if name == "-" {
      url = standardStream
    } else {
      url = path != nil && name.contains(":") && !name.hasPrefix("file:") ? "file:" + name : name
    }
  }

  /// A URL that FFmpeg opens with one of its protocols.
  init(address: String) { (name, url, path) = (address, address, nil) }

  /// A standard stream of this process, as "pipe:0".
  init(stream: String) { (name, url, path) = (stream, stream, nil) }

  /// A byte range of a local file, as if it were a file.
  init(_ bytes: Range<Int>, of path: String) {
    name = path
    self.path = path
    url = "subfile,,start,\(bytes.lowerBound),end,\(bytes.upperBound),,:file:\(path)"
  }

  /// The file at `path`, with symbolic links resolved.
  var file: String? { path.map(FileLocation.resolved) }

  /// Whether it is standard input, as Y4M.
  var isStandardStream: Bool { name == "-" }

  /// Whether it is a byte range of a file.
  var isPart: Bool { path != nil && url.hasPrefix("subfile,") }

  /// Size of a regular file in bytes; nil for anything else.
  var byteCount: Int? {
    guard let path, let status = FileStatus(path), status.kind == .regular else { return nil }
    return status.byteCount
  }
}
