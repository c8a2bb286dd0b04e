internal import Files
internal import Foundation

/// One attempt to render a chunk: who began it, and how it ended.
public struct Try: Hashable, Sendable {
  /// How a try ended.
  public enum Outcome: Codable, Hashable, Sendable {
    /// The piece was committed.
    case done
    /// It was stopped, by a signal or because the film was cancelled.
    case stopped
    /// It was not, for the reason given in a sentence.
    /// - Parameter isWorthRetrying: It was not the chunk's fault: a disk was full, or a server away.
    case failed(words: String, isWorthRetrying: Bool)
  }

  /// Characters of a failure's words that are kept.
  private static let mostWords = 1000
  /// Bytes that the file of a try may have.
  static let largest = 1 << 16

  /// The chunk's.
  public let number: Int
  /// Which try of the chunk it is, from 1.
  public let index: Int
  /// What has begun it; nil if its file is damaged.
  public let machine: Machine?
  /// Of the lease under which it was begun.
  public let token: String?
  /// nil: it goes on, or it ended without a word.
  public private(set) var outcome: Outcome?
  /// When its file was last written, by the server's clock: the time of its end, if it has one.
  public let written: ServerTime?

  struct Content: Codable {
    var machine: Machine
    var token: String?
    var outcome: Outcome?
  }

  private init(_ number: Int, _ index: Int, _ content: Content?, written: ServerTime?) {
    (self.number, self.index, self.written) = (number, index, written)
    (machine, token, outcome) = (content?.machine, content?.token, content?.outcome)
  }

  /// Writes down that a try begins.
  /// - Parameters:
  ///   - number: The chunk's.
  ///   - machine: What begins it.
  ///   - token: That of the lease under which it renders.
  ///   - folder: Of the film.
  /// - Throws: `FarmError.failed`.
  public static func begin(
    _ number: Int, by machine: Machine, token: String?, in folder: WorkFolder
  ) throws(FarmError) -> Try {
    let content = Content(machine: machine, token: token, outcome: nil)
    let temporary = FileLocation.path(folder.triesPath, ".\(number).\(DurableFile.token()).tmp")
    let descriptor = try DurableFile.at(temporary) { () throws(DurableFile.Failure) in
      try DurableFile.create(temporary, padded(content))
    }
    defer {
      close(descriptor)
      unsafe unlink(temporary.systemName)
    }
    var index = (try folder.tryIndices()[number]?.max() ?? 0) + 1
    while try !DurableFile.claim(folder.tryPath(number, index), for: temporary, descriptor) { index += 1 }
    return Try(number, index, content, written: FileFacts(descriptor)?.modified)
  }

  /// Writes down how it ended.
  /// - Parameters:
  ///   - outcome: How; words beyond 1000 characters are cut.
  ///   - folder: Of the film.
  /// - Throws: `FarmError.failed`.
  public func end(_ outcome: Outcome, in folder: WorkFolder) throws(FarmError) {
    guard let machine else { return }
    let content = Content(machine: machine, token: token, outcome: outcome.shortened(to: Self.mostWords))
    do throws(FarmError) {
      try folder.replace(folder.tryPath(number, index), Self.padded(content))
    } catch {
      // A full file system has no room for another file, but that of the beginning has some.
      guard case .failed(_, _, let code) = error, code == ENOSPC || code == EDQUOT,
        Self.overwrite(folder.tryPath(number, index), Self.padded(content))
      else { throw error }
    }
  }

  static func name(_ number: Int, _ index: Int) -> String { "\(number).\(index).json" }

  /// As many bytes at the beginning as an end usually needs.
  private static func padded(_ content: Content) -> [UInt8] {
    let text = JSONText.bytes(content) ?? []
    return text + [UInt8](repeating: UInt8(ascii: " "), count: max(1536 - text.count, 0))
  }

  private static func overwrite(_ path: String, _ bytes: [UInt8]) -> Bool {
    let descriptor = unsafe open(path.systemName, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return (try? DurableFile.overwrite(descriptor, bytes)) != nil
  }

  /// - Returns: A damaged file is a try of which nothing more is known.
  static func read(_ number: Int, _ index: Int, in folder: WorkFolder) -> Try {
    guard let (facts, bytes) = FileFacts.read(folder.tryPath(number, index), upTo: largest) else {
      return Try(number, index, nil, written: nil)
    }
    return Try(number, index, JSONText.value(Content.self, bytes), written: facts.modified)
  }

  /// Whether it goes on.
  /// - Parameter claim: That of its chunk; nil if there is none.
  public func isLiving(_ claim: Claim?) -> Bool {
    guard outcome == nil, let claim, !claim.isExpired, claim.process?.hasEnded != true, let machine else {
      return false
    }
    return token.map { $0 == claim.token } ?? (machine == claim.machine)
  }

  /// Whether it is one of those that a chunk may use up: it failed by the chunk's own fault, or ended without a word.
  /// - Parameter claim: That of its chunk; nil if there is none.
  public func counts(_ claim: Claim?) -> Bool {
    switch outcome {
    case nil: !isLiving(claim)
    // It is asked for where the piece is missing: it was rejected.
    case .done: true
    case .stopped: false
    case .failed(_, let isWorthRetrying): !isWorthRetrying
    }
  }
}

extension Try.Outcome {
  fileprivate func shortened(to length: Int) -> Try.Outcome {
    guard case .failed(let words, let isWorthRetrying) = self, words.count > length else { return self }
    return .failed(words: String(words.prefix(length)) + "…", isWorthRetrying: isWorthRetrying)
  }
}

extension WorkFolder {
  /// Removes what is known of tries: those of a plan say nothing about another.
  public func forgetTries() {
    for name in FileLocation.names(in: triesPath) ?? [] where name.hasSuffix(".json") {
      unsafe unlink(FileLocation.path(triesPath, name).systemName)
    }
  }

  func tryPath(_ number: Int, _ index: Int) -> String { FileLocation.path(triesPath, Try.name(number, index)) }

  /// Which tries every chunk has had, in order.
  func tryIndices() throws(FarmError) -> [Int: [Int]] {
    var indices: [Int: [Int]] = [:]
    for name in try names(in: triesPath) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[2] == "json", let number = Int(plain: parts[0]), let index = Int(plain: parts[1]),
        index > 0, index < Int.max
      else { continue }
      indices[number, default: []].append(index)
    }
    return indices.mapValues { $0.sorted() }
  }

  /// The tries of a chunk, in order.
  /// - Parameter number: The chunk's.
  /// - Throws: `FarmError` if the folder cannot be read.
  public func tries(_ number: Int) throws(FarmError) -> [Try] {
    (try tryIndices()[number] ?? []).map { Try.read(number, $0, in: self) }
  }
}
