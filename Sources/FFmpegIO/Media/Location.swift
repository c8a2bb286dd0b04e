internal import Bitstreams
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

  /// An input as named by a user: a local file, or a URL if its protocol is allowed.
  /// - Throws: `FFmpegError.addressNotAllowed`.
  init(input name: String, _ policy: ProtocolPolicy) throws(FFmpegError) {
    if name.hasPrefix("file://") {
      self.init("file:" + name.dropFirst(7), standardStream: "pipe:0")
      return
    }
    guard name != "-", let scheme = Self.scheme(of: name) else {
      self.init(name, standardStream: "pipe:0")
      return
    }
    if scheme == "pipe" {
      self.init(stream: name)
      return
    }
    guard policy.allowed.contains(scheme) else { throw .addressNotAllowed(name: name, scheme: scheme) }
    self.init(address: name)
  }

  /// The protocol of a URL; nil for files, including those whose names look like URLs.
  private static func scheme(of name: String) -> String? {
    guard let end = name.firstIndex(where: { $0 == ":" || $0 == "," }) else { return nil }
    let scheme = name[..<end].lowercased()
    // FFmpeg's protocol options may precede the colon: crypto+http:, subfile,,start,0:
    let first = scheme.split(separator: "+").first.map(String.init) ?? scheme
    guard first != "file", FileStatus(name) == nil else { return nil }
    if ProtocolPolicy.known.contains(first) { return first }
    return name[end...].hasPrefix("://") ? first : nil
  }

  /// The file name suffix.
  var suffix: String {
    // A URL may have a query after its path.
    let whole = path ?? String(name.prefix { $0 != "?" && $0 != "#" })
    let last = whole.split(separator: "/").last ?? ""
    guard let point = last.lastIndex(of: ".") else { return "" }
    return String(last[last.index(after: point)...])
  }

  /// The file descriptor of "-", "pipe:" or "pipe:3".
  var descriptor: Int32? {
    if isStandardStream { return STDIN_FILENO }
    guard path == nil, name.hasPrefix("pipe:") else { return nil }
    let number = name.dropFirst(5)
    return number.isEmpty ? STDIN_FILENO : Int32(number)
  }

  /// Bytes at the start and end of a file that are read to check that its device works.
  private static let someBytes = 1 << 20

  /// FFmpeg's error code, corrected for demuxers that blame the system: they report impossible sizes in a damaged file
  /// as "out of memory", and truncation as "input/output error".
  /// - Returns: "Invalid data" if memory is available, or the file is readable; otherwise `code`.
  func withoutBlame(_ code: Int32) -> Int32 {
    let isUnfounded =
      switch code {
      case hr_error_no_memory(): SystemMemory.isLeft
      case hr_error_of_system(EIO): isReadable
      default: false
      }
    return isUnfounded ? hr_error_invalid_data() : code
  }

  /// Whether it is a regular file whose start and end can be read.
  private var isReadable: Bool {
    guard let path, let size = byteCount, let file = FileHandle(systemName: path) else { return false }
    do {
      _ = try file.read(upToCount: Self.someBytes)
      try file.seek(toOffset: UInt64(max(0, size - Self.someBytes)))
      return try file.read(upToCount: Self.someBytes) != nil
    } catch {
      return false
    }
  }
}

/// Information in the bytes of a local file that FFmpeg does not report.
extension Location {
  /// Checks that a PNG file can hold its pixels: FFmpeg allocates memory for all of them before it notices that they
  /// are missing.
  /// - Throws: `FFmpegError.failed` if it states an impossible size.
  func checkPNGHeader() throws(FFmpegError) {
    guard let byteCount, let path, let file = FileHandle(systemName: path),
      let header = PNGHeader(file.bytes(at: 0, PNGHeader.byteCount)), !header.fits(in: byteCount)
    else { return }
    throw .failure(
      .open, name, hr_error_invalid_data(),
      detail: ["it states \(header.width)x\(header.height) pixels, more than its \(byteCount) bytes can hold"])
  }

  /// The tables of an MP4 or QuickTime file; nil for other inputs.
  /// - Throws: `FFmpegError.failed` if they state more samples than the file can hold.
  func isoTables() throws(FFmpegError) -> ISOTables? {
    guard let byteCount, let path else { return nil }
    do { return try ISOTables(path: path, byteCount: byteCount) } catch {
      throw .failure(
        .open, name, hr_error_invalid_data(),
        detail: ["its tables announce \(error.count) samples, more than its \(byteCount) bytes can hold"])
    }
  }

  /// The areas of pictures that a Matroska file shows; nil for other inputs.
  var matroskaApertures: MatroskaApertures? {
    guard let byteCount, let path else { return nil }
    return MatroskaApertures(path: path, byteCount: byteCount)
  }

  /// The colour of a PNG file; nil for other inputs.
  var pngColor: PNGColor? {
    guard byteCount != nil, let path else { return nil }
    return PNGColor(path: path)
  }

  /// The stated end of a whole file's container; nil for other inputs.
  var statedEnd: StatedEnd? {
    guard !isPart, let byteCount, let path else { return nil }
    return StatedEnd(path: path, byteCount: byteCount)
  }
}
