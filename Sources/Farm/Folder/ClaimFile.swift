internal import Files
internal import Foundation

/// The file of a claim that this process makes: complete under a name of its own before it gets the claim's, so that
/// no other machine ever reads half of one. A hard link is the one operation that all network file systems do atomically.
struct ClaimFile {
  let folder: WorkFolder
  let number: Int
  let token: String
  /// Remains open.
  let descriptor: Int32
  /// When it was written.
  let written: ServerTime
  /// Spare bytes: the content is rewritten in place, which works on a full file system too.
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

  /// Gives it the claim's name.
  /// - Returns: Whether the name was free.
  func claim() throws(FarmError) -> Bool {
    try DurableFile.claim(folder.claimPath(number), for: temporary, descriptor)
  }

  /// Whatever it is called by now, its own first name goes.
  func removeTemporary() { unsafe unlink(temporary.systemName) }

  /// Content that is longer than the file was is cut: it is damaged then, and what remains is a sign of life.
  static func bytes(_ content: Claim.Content) -> [UInt8] {
    let text = JSONText.bytes(content) ?? []
    return text.prefix(size) + [UInt8](repeating: UInt8(ascii: " "), count: max(size - text.count, 0))
  }
}

extension WorkFolder {
  func claimTemporary(_ number: Int, _ token: String, _ suffix: String) -> String {
    FileLocation.path(claimsPath, ".\(number).\(token).\(suffix)")
  }

  /// Removes a claim, if it is still the one that was read. It is moved aside first, as two machines may try.
  /// - Parameter isSame: Whether what was moved aside is what shall go; otherwise it gets its name back.
  /// - Returns: Whether it is gone.
  package func removeClaim(_ number: Int, where isSame: (Claim) -> Bool) throws(FarmError) -> Bool {
    let path = claimPath(number)
    let aside = claimTemporary(number, DurableFile.token(), "old")
    let code = FileRenaming.rename(path, to: aside, replaces: true)
    // ENOENT may be the answer to a request that was repeated: what counts is what is there.
    guard code == 0 || code == ENOENT else { throw .failed(.rename, path: path, code: code) }
    guard let moved = claim(number, at: aside, now: nil) else { return false }
    if isSame(moved) {
      unsafe unlink(aside.systemName)
      return true
    }
    // If another has taken the chunk meanwhile, the owner will notice, and both render.
    if FileRenaming.rename(aside, to: path, replaces: false) != 0 { unsafe unlink(aside.systemName) }
    return false
  }
}
