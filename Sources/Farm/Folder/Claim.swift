internal import Files
internal import Foundation

/// The content and age of a claim file.
public struct Claim: Hashable, Sendable {
  /// Default lifetime of a claim in seconds without a renewal.
  public static let defaultDuration = 60.0
  /// Maximum size of a claim file in bytes.
  static let largest = 1 << 16

  /// The number of the chunk.
  public let number: Int
  /// The lease's token; empty if the file is unreadable.
  public let token: String
  /// The rendering machine; nil if the file is unreadable.
  public let machine: Machine?
  /// Lifetime in seconds without a renewal.
  public let duration: Double
  /// Frames rendered so far.
  public let frames: Int
  /// The current rendering rate; 0 if not yet known.
  public let framesPerSecond: Double
  /// Seconds since the last renewal, by the server's clock; nil if the clock is not available.
  public let age: Double?

  let modified: ServerTime
  let process: ProcessIdentity?
  private let device: UInt
  private let file: UInt

  /// Whether the last renewal is too long ago.
  public var isExpired: Bool { age.map { $0 > duration } ?? false }

  /// The file's content.
  struct Content: Codable {
    var token: String
    var machine: Machine
    var process: ProcessIdentity?
    var duration: Double
    var frames = 0
    var framesPerSecond = 0.0
  }

  init(_ number: Int, _ facts: FileFacts, _ bytes: [UInt8], now: ServerTime?) {
    let content = JSONText.value(Content.self, bytes)
    self.number = number
    token = content?.token ?? ""
    machine = content?.machine
    process = content?.process
    duration = Self.possible(content?.duration ?? Self.defaultDuration)
    frames = min(max(content?.frames ?? 0, 0), PieceRecord.maximumFrames)
    framesPerSecond = content.map { $0.framesPerSecond > 0 && $0.framesPerSecond < 1e9 ? $0.framesPerSecond : 0 } ?? 0
    // Another machine may have renewed it since the clock was read.
    age = now.map { max($0.seconds(since: facts.modified), 0) }
    modified = facts.modified
    (device, file) = (facts.device, facts.number)
  }

  /// Clamps a duration to between a second and a day.
  static func possible(_ seconds: Double) -> Double {
    seconds.isFinite ? min(max(seconds, 1), 86_400) : defaultDuration
  }

  /// Whether a machine may take the claimed chunk because its renderer has certainly, or most probably, ended.
  func isFree(for machine: Machine) -> Bool {
    isExpired || process?.hasEnded == true || self.machine.map(machine.isRestart(of:)) == true
  }

  func isFile(_ facts: FileFacts) -> Bool { device == facts.device && file == facts.number }

  /// Returns whether another reading shows the same claim without a renewal.
  package func isUnchanged(in other: Claim) -> Bool {
    token == other.token && modified == other.modified && device == other.device && file == other.file
  }
}

extension WorkFolder {
  func claimPath(_ number: Int) -> String { FileLocation.path(claimsPath, "\(number)") }

  /// Returns the claim of a chunk.
  /// - Parameter number: The number of the chunk.
  /// - Returns: nil if it is not claimed. The claim may have expired.
  public func claim(_ number: Int) -> Claim? { claim(number, now: try? now()) }

  func claim(_ number: Int, now: ServerTime?) -> Claim? { claim(number, at: claimPath(number), now: now) }

  func claim(_ number: Int, at path: String, now: ServerTime?) -> Claim? {
    if let (facts, bytes) = FileFacts.read(path, upTo: Claim.largest) { return Claim(number, facts, bytes, now: now) }
    // Anything else with this name still counts as a claim.
    return (FileFacts(path: path) ?? FileFacts(unopened: path)).map { Claim(number, $0, [], now: now) }
  }

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

/// The file of a new claim: written completely under a temporary name before it gets the claim's name, so that no
/// machine reads an incomplete one. A hard link is the one operation that is atomic on all network file systems.
struct ClaimFile {
  let folder: WorkFolder
  let number: Int
  let token: String
  /// Stays open.
  let descriptor: Int32
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

  func removeTemporary() { unsafe unlink(temporary.systemName) }

  /// Truncates content that exceeds the file size: the file is then damaged, but still shows a renewal.
  static func bytes(_ content: Claim.Content) -> [UInt8] {
    let text = JSONText.bytes(content) ?? []
    return text.prefix(size) + [UInt8](repeating: UInt8(ascii: " "), count: max(size - text.count, 0))
  }
}
