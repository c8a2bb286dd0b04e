internal import Files
internal import Foundation

/// A piece that was committed and then found to be wrong.
public struct Rejection: Hashable, Sendable {
  /// The chunk's.
  public let number: Int
  /// The end of a sentence; empty if what rejected it ended before it could say.
  public let reason: String
  /// When, by the server's clock.
  public let written: ServerTime

  struct Content: Codable {
    var reason: String
    var record: PieceRecord?
  }
}

extension WorkFolder {
  /// Moves a piece and its record aside, so that the chunk is rendered again.
  /// - Parameters:
  ///   - number: The chunk's.
  ///   - reason: What is wrong with it, as the end of a sentence.
  ///   - record: The record that was found wrong: one that has come since is kept. nil: any.
  /// - Throws: `FarmError.failed`.
  public func reject(_ number: Int, because reason: String, record: PieceRecord? = nil) throws(FarmError) {
    var stored: PieceRecord?
    if case .sound(let found) = try storedRecord(number) { stored = found }
    if let record, record != stored { return }
    let token = DurableFile.token()
    // The piece first: a record without its piece is found wrong by all.
    if let file = stored?.file {
      let aside = piecePath("\(number).\(token).rejected.mkv")
      let code = FileRenaming.rename(piecePath(file), to: aside, replaces: true)
      guard code == 0 || code == ENOENT else { throw .failed(.rename, path: piecePath(file), code: code) }
    }
    let name = "\(number).\(token).rejected.json"
    let path = piecePath(Self.recordName(number))
    let code = FileRenaming.rename(path, to: piecePath(name), replaces: true)
    if code == ENOENT { return }
    guard code == 0 else { throw .failed(.rename, path: path, code: code) }
    try replace(piecePath(name), JSONText.bytes(Rejection.Content(reason: reason, record: stored)) ?? [])
  }

  /// - Parameter name: In the folder of pieces.
  func rejection(_ number: Int, _ name: String) -> Rejection? {
    guard let (facts, bytes) = FileFacts.read(piecePath(name), upTo: 32 << 20) else { return nil }
    let reason = JSONText.value(Rejection.Content.self, bytes)?.reason ?? ""
    return Rejection(number: number, reason: reason, written: facts.modified)
  }
}
