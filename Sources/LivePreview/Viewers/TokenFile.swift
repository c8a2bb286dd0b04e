internal import Files
internal import Foundation
internal import Sessions

/// A server token, 128 random bits in hexadecimal, stored in a file that only its owner can read.
enum TokenFile {
  private static let digits = 32
  /// Permission bits of the group and of others.
  private static let foreign: mode_t = 0o077

  static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(format: "%016lx", random.next() as UInt64) }.joined()
  }

  /// Returns the token of a file, which is created if missing.
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
        throw notKept(file, reason)
      }
    }
    return try kept(path, file)
  }

  private static func kept(_ path: String, _ file: String) throws(Refusal) -> String {
    let bytes: [UInt8]
    do throws(SmallFile.Failure) {
      bytes = try SmallFile.bytes(of: path, upTo: digits + 2)
    } catch {
      if error == .isTooLarge { throw noToken(file) }
      throw notKept(file, "\(error)")
    }
    var status = stat()
    guard unsafe stat(path.systemName, &status) == 0, status.st_mode & foreign == 0 else {
      throw .failed(
        "token-exposed",
        "Other users can read or change the token in '\(file)': make the file your own with `chmod 600`, or name "
          + "another.")
    }
    let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard token.utf8.count == digits, token.allSatisfy(\.isHexDigit) else {
      throw noToken(file)
    }
    return token
  }

  private static func notKept(_ file: String, _ reason: String) -> Refusal {
    .failed("token-not-kept", "Cannot keep the token in '\(file)': \(reason).")
  }

  private static func noToken(_ file: String) -> Refusal {
    .failed(
      "no-token",
      "'\(file)' does not hold a token, 32 hexadecimal digits: name a file that does not exist to have one made.")
  }
}
