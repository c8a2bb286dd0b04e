internal import Files
internal import Foundation

extension Location {
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
}
