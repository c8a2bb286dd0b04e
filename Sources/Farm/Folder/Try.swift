internal import Files
internal import Foundation

/// A try to render a chunk: its machine and outcome.
public struct Try: Hashable, Sendable {
  /// The outcome of a try.
  public enum Outcome: Codable, Hashable, Sendable {
    /// The piece was committed.
    case done
    /// It was stopped, by a signal or by cancelling.
    case stopped
    /// It failed, for the reason given in a sentence.
    /// - Parameter isWorthRetrying: The cause is external, such as a full disk or an unreachable server.
    case failed(words: String, isWorthRetrying: Bool)
  }

  /// Maximum characters of a failure's text to keep.
  private static let maximumWords = 1000
  /// Maximum size of a try file in bytes.
  static let largest = 1 << 16

  /// The number of the chunk.
  public let number: Int
  /// The number of the try, from 1.
  public let index: Int
  /// The machine that started it; nil if its file is damaged.
  public let machine: Machine?
  /// The token of its lease.
  public let token: String?
  /// nil: it is active, or ended without an outcome.
  public private(set) var outcome: Outcome?
  /// The time of the last write of its file, by the server's clock: the end time, if it has ended.
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

  /// Records the start of a try.
  /// - Parameters:
  ///   - number: The number of the chunk.
  ///   - machine: The machine that starts it.
  ///   - token: The token of its lease.
  ///   - folder: The film's work folder.
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

  /// Records the outcome.
  /// - Parameters:
  ///   - outcome: The outcome; text beyond 1000 characters is cut.
  ///   - folder: The film's work folder.
  /// - Throws: `FarmError.failed`.
  public func end(_ outcome: Outcome, in folder: WorkFolder) throws(FarmError) {
    guard let machine else { return }
    let content = Content(machine: machine, token: token, outcome: outcome.shortened(to: Self.maximumWords))
    do throws(FarmError) {
      try folder.replace(folder.tryPath(number, index), Self.padded(content))
    } catch {
      // A full file system has no room for another file, but the try's own file has spare bytes.
      guard case .failed(_, _, let code) = error, code == ENOSPC || code == EDQUOT,
        Self.overwrite(folder.tryPath(number, index), Self.padded(content))
      else { throw error }
    }
  }

  static func name(_ number: Int, _ index: Int) -> String { "\(number).\(index).json" }

  /// Pads the file with room for a typical outcome.
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

  /// - Returns: The try; with unknown details if its file is damaged.
  static func read(_ number: Int, _ index: Int, in folder: WorkFolder) -> Try {
    guard let (facts, bytes) = FileFacts.read(folder.tryPath(number, index), upTo: largest) else {
      return Try(number, index, nil, written: nil)
    }
    return Try(number, index, JSONText.value(Content.self, bytes), written: facts.modified)
  }

  /// Returns whether the try is active.
  /// - Parameter claim: The chunk's claim; nil: not claimed.
  public func isLiving(_ claim: Claim?) -> Bool {
    guard outcome == nil, let claim, !claim.isExpired, claim.process?.hasEnded != true, let machine else {
      return false
    }
    return token.map { $0 == claim.token } ?? (machine == claim.machine)
  }

  /// Returns whether it counts towards the maximum: it failed because of the chunk, or ended without an outcome.
  /// - Parameter claim: The chunk's claim; nil: not claimed.
  public func counts(_ claim: Claim?) -> Bool {
    switch outcome {
    case nil: !isLiving(claim)
    // Only relevant for a missing piece: it was rejected.
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
  /// Removes all tries: they say nothing about another plan.
  public func forgetTries() {
    for name in FileLocation.names(in: triesPath) ?? [] where name.hasSuffix(".json") {
      unsafe unlink(FileLocation.path(triesPath, name).systemName)
    }
  }

  func tryPath(_ number: Int, _ index: Int) -> String { FileLocation.path(triesPath, Try.name(number, index)) }

  /// Returns the try numbers of every chunk, in order.
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

  /// Returns the tries of a chunk, in order.
  /// - Parameter number: The number of the chunk.
  /// - Throws: `FarmError` if the folder cannot be read.
  public func tries(_ number: Int) throws(FarmError) -> [Try] {
    (try tryIndices()[number] ?? []).map { Try.read(number, $0, in: self) }
  }
}
