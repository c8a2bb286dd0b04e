internal import Files
internal import Foundation

/// The token of a server, 128 random bits in hexadecimal, kept in a file that only its owner can read.
enum TokenFile {
  private static let digits = 32
  /// Permissions of the group and of others.
  private static let foreign: mode_t = 0o077

  static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(format: "%016lx", random.next() as UInt64) }.joined()
  }

  /// The token of a file, which is made if it is missing.
  static func token(_ file: String) throws(Refusal) -> String {
    let path = FileLocation.resolved(file)
    let token = newToken()
    let descriptor = unsafe open(path.systemName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      defer { close(descriptor) }
      let line = Array((token + "\n").utf8)
      guard unsafe write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0 else {
        let reason = unsafe String(cString: strerror(errno))
        unsafe unlink(path.systemName)
        throw .failed(.serve(.cannotKeepToken(file: file, reason: reason)))
      }
      return token
    }
    guard errno == EEXIST else {
      throw .failed(.serve(.cannotKeepToken(file: file, reason: unsafe String(cString: strerror(errno)))))
    }
    return try kept(path, file)
  }

  private static func kept(_ path: String, _ file: String) throws(Refusal) -> String {
    let bytes: [UInt8]
    do throws(SmallFile.Failure) {
      bytes = try SmallFile.bytes(of: path, upTo: digits + 2)
    } catch {
      if error == .isTooLarge { throw .failed(.serve(.isNoToken(file: file))) }
      throw .failed(.serve(.cannotKeepToken(file: file, reason: "\(error)")))
    }
    var status = stat()
    guard unsafe stat(path.systemName, &status) == 0, status.st_mode & foreign == 0 else {
      throw .failed(.serve(.tokenIsOpen(file: file)))
    }
    let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard token.utf8.count == digits, token.allSatisfy(\.isHexDigit) else {
      throw .failed(.serve(.isNoToken(file: file)))
    }
    return token
  }
}
