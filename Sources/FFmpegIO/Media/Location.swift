internal import CFFmpeg
internal import Files
internal import Foundation
internal import Media

/// Where FFmpeg reads from or writes to.
struct Location: Sendable {
  /// As the caller wrote it, for messages.
  let name: String
  /// As FFmpeg wants it.
  let url: String
  /// The path, where it is a file of this machine.
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

  /// An address that FFmpeg opens by one of its protocols.
  init(address: String) { (name, url, path) = (address, address, nil) }

  /// A stream of this process, as "pipe:0".
  init(stream: String) { (name, url, path) = (stream, stream, nil) }

  /// Some bytes of a file of this machine, as if they were a file.
  init(_ bytes: Range<Int>, of path: String) {
    name = path
    self.path = path
    url = "subfile,,start,\(bytes.lowerBound),end,\(bytes.upperBound),,:file:\(path)"
  }

  /// The file at `path`, links followed.
  var file: String? { path.map(FilePlace.resolved) }

  /// Standard input, as Y4M.
  var isStandardStream: Bool { name == "-" }

  /// Bytes of a regular file; nil for anything else.
  var byteCount: Int? {
    guard let path, let status = FileStatus(path), status.kind == .regular else { return nil }
    return status.byteCount
  }
}
