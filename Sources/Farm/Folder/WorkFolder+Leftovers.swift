internal import Files
internal import Foundation

extension WorkFolder {
  /// Minimum seconds since the last write before an unclaimed file is removed: a machine that lost its claim may still
  /// write.
  private static let quietTime = 120.0

  /// Removes what crashed machines left behind: partial pieces, temporary files, and pieces whose record has been
  /// replaced. Ignores errors.
  public func removeLeftovers() { removeLeftovers(olderThan: Self.quietTime) }

  /// - Parameter seconds: Minimum seconds since a file was last written or renamed.
  package func removeLeftovers(olderThan seconds: Double) {
    guard let now = try? now() else { return }
    for folder in [piecesPath, claimsPath, triesPath] {
      for name in FileLocation.names(in: folder) ?? [] where isTemporary(name) {
        remove(FileLocation.path(folder, name), olderThan: seconds, now)
      }
    }
    var sound: [Int: PieceRecord?] = [:]
    for name in FileLocation.names(in: piecesPath) ?? [] {
      guard let kind = PieceName(name), isLeftover(name, kind, now, &sound) else { continue }
      remove(piecePath(name), olderThan: seconds, now)
    }
  }

  private func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".") && [".tmp", ".new", ".old"].contains { name.hasSuffix($0) }
  }

  private func isLeftover(_ name: String, _ kind: PieceName, _ now: ServerTime, _ sound: inout [Int: PieceRecord?])
    -> Bool
  {
    switch kind {
    case .part(let number, let token):
      guard let claim = livingClaim(number, now) else { return true }
      // An unreadable claim may belong to any machine.
      return claim.token != token && !claim.token.isEmpty
    case .piece(let number), .thumbnail(let number), .rejectedPiece(let number):
      guard livingClaim(number, now) == nil else { return false }
      let record = sound[number] ?? soundRecord(number)
      sound[number] = .some(record)
      guard let record else { return false }
      return record.file != name && record.thumbnail != name
    case .record, .rejection: return false
    }
  }

  private func livingClaim(_ number: Int, _ now: ServerTime) -> Claim? {
    claim(number, now: now).flatMap { $0.isExpired || $0.process?.hasEnded == true ? nil : $0 }
  }

  private func soundRecord(_ number: Int) -> PieceRecord? {
    guard let record = try? record(number), fault(record) == nil else { return nil }
    return record
  }

  private func remove(_ path: String, olderThan seconds: Double, _ now: ServerTime) {
    guard let facts = FileFacts(path: path), facts.isRegular, now.seconds(since: facts.changed) >= seconds else {
      return
    }
    unsafe unlink(path.systemName)
  }
}
