internal import Files
internal import Foundation

/// The file of a new claim: written completely under a temporary name before it gets the claim's name, so that no
/// machine reads an incomplete one. A hard link is the one operation that is atomic on all network file systems.
struct ClaimFile {
  let folder: WorkFolder
  let number: Int
  let token: String
  /// Stays open.
  let descriptor: Int32
  /// The time of writing.
  let written: ServerTime
  /// Includes spare bytes: the content is rewritten in place, which works on a full file system, too.
  static let size = 1024

  private var temporary: String { folder.claimTemporary(number, token, "new") }

  init(_ number: Int, in folder: WorkFolder, _ content: Claim.Content) throws(FarmError) {
    self.folder = folder
    self.number = number
    token = content.token
    let path = folder.claimTemporary(number, token, "new")
    let descriptor = try DurableFile.at(path) { () throws(DurableFile.Failure) in
      try DurableFile.create(path, Self.bytes(content))
    }
    guard let facts = FileFacts(descriptor) else {
      let code = errno
      close(descriptor)
      unsafe unlink(path.systemName)
      throw .failed(.read, path: path, code: code)
    }
    self.descriptor = descriptor
    written = facts.modified
  }

  /// Links it to the claim's name.
  /// - Returns: Whether the name was free.
  func claim() throws(FarmError) -> Bool {
    try DurableFile.claim(folder.claimPath(number), for: temporary, descriptor)
  }

  /// Removes the temporary name.
  func removeTemporary() { unsafe unlink(temporary.systemName) }

  /// Truncates content that exceeds the file size: the file is then damaged, but still shows a renewal.
  static func bytes(_ content: Claim.Content) -> [UInt8] {
    let text = JSONText.bytes(content) ?? []
    return text.prefix(size) + [UInt8](repeating: UInt8(ascii: " "), count: max(size - text.count, 0))
  }
}

extension WorkFolder {
  func claimTemporary(_ number: Int, _ token: String, _ suffix: String) -> String {
    FileLocation.path(claimsPath, ".\(number).\(token).\(suffix)")
  }

  /// Removes a claim if it has not changed since it was read. It is moved aside first, because two machines may try.
  /// - Parameter isSame: Returns whether the claim moved aside is the right one; otherwise it is moved back.
  /// - Returns: Whether the claim was removed.
  package func removeClaim(_ number: Int, where isSame: (Claim) -> Bool) throws(FarmError) -> Bool {
    let path = claimPath(number)
    let aside = claimTemporary(number, DurableFile.token(), "old")
    let code = FileRenaming.rename(path, to: aside, replaces: true)
    // ENOENT may be the reply to a repeated request: the actual files decide.
    guard code == 0 || code == ENOENT else { throw .failed(.rename, path: path, code: code) }
    guard let moved = claim(number, at: aside, now: nil) else { return false }
    if isSame(moved) {
      unsafe unlink(aside.systemName)
      return true
    }
    // If another machine has taken the chunk meanwhile, the owner will notice, and both render.
    if FileRenaming.rename(aside, to: path, replaces: false) != 0 { unsafe unlink(aside.systemName) }
    return false
  }
}
