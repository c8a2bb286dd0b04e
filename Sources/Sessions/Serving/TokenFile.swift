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
    do throws(DurableFile.Failure) {
      close(try DurableFile.create(path, Array((token + "\n").utf8), permissions: 0o600))
      try DurableFile.syncFolder(FileLocation(path).folder)
      return token
    } catch {
      guard error.step == .create, error.code == EEXIST else {
        let reason = unsafe String(cString: strerror(error.code))
        throw .failed(.serve(.cannotKeepToken(file: file, reason: reason)))
      }
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
