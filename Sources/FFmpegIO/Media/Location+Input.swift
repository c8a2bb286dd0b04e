internal import Files
internal import Foundation

extension Location {
  /// What a user names as an input: a file of this machine, or an address where its protocol is allowed.
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

  /// The protocol that an address begins with; nil for files, also for those whose names look like one.
  private static func scheme(of name: String) -> String? {
    guard let end = name.firstIndex(where: { $0 == ":" || $0 == "," }) else { return nil }
    let scheme = name[..<end].lowercased()
    // FFmpeg's options of a protocol lie between: crypto+http:, subfile,,start,0:
    let first = scheme.split(separator: "+").first.map(String.init) ?? scheme
    guard first != "file", FileStatus(name) == nil else { return nil }
    if ProtocolPolicy.known.contains(first) { return first }
    return name[end...].hasPrefix("://") ? first : nil
  }

  /// What comes after the last full stop of the name of the file.
  var suffix: String {
    // An address may have a question behind its path.
    let whole = path ?? String(name.prefix { $0 != "?" && $0 != "#" })
    let last = whole.split(separator: "/").last ?? ""
    guard let point = last.lastIndex(of: ".") else { return "" }
    return String(last[last.index(after: point)...])
  }

  /// The stream of this process that "-", "pipe:" and "pipe:3" name.
  var descriptor: Int32? {
    if isStandardStream { return STDIN_FILENO }
    guard path == nil, name.hasPrefix("pipe:") else { return nil }
    let number = name.dropFirst(5)
    return number.isEmpty ? STDIN_FILENO : Int32(number)
  }
}
