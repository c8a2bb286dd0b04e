internal import Files

/// What the file of a claim says, and how old it is.
public struct Claim: Hashable, Sendable {
  /// Seconds without a sign of life after which a claim has expired, unless it says otherwise.
  public static let usualDuration = 60.0
  /// Bytes that the file of a claim may have.
  static let largest = 1 << 16

  /// The chunk's.
  public let number: Int
  /// Of the lease; empty if the file cannot be read.
  public let token: String
  /// What renders the chunk; nil if the file cannot be read.
  public let machine: Machine?
  /// Seconds without a sign of life after which it has expired.
  public let duration: Double
  /// Frames rendered so far.
  public let frames: Int
  /// Rate of the last seconds; 0 if it is not known yet.
  public let framesPerSecond: Double
  /// Seconds since the last sign of life, by the server's clock; nil if that could not be asked.
  public let age: Double?

  let modified: ServerTime
  let process: ProcessIdentity?
  private let device: UInt
  private let file: UInt

  /// Whether there has been no sign of life for too long.
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
    duration = Self.possible(content?.duration ?? Self.usualDuration)
    frames = min(max(content?.frames ?? 0, 0), PieceRecord.mostFrames)
    framesPerSecond = content.map { $0.framesPerSecond > 0 && $0.framesPerSecond < 1e9 ? $0.framesPerSecond : 0 } ?? 0
    // Another machine may have renewed it since the clock was asked.
    age = now.map { max($0.seconds(since: facts.modified), 0) }
    modified = facts.modified
    (device, file) = (facts.device, facts.number)
  }

  /// A duration between a second and a day.
  static func possible(_ seconds: Double) -> Double { seconds.isFinite ? min(max(seconds, 1), 86_400) : usualDuration }

  /// Whether a machine may take the chunk although it is claimed: there is certainly, or most probably, nothing left
  /// that renders it.
  func isFree(for machine: Machine) -> Bool {
    isExpired || process?.hasEnded == true || self.machine.map(machine.isRestart(of:)) == true
  }

  func isFile(_ facts: FileFacts) -> Bool { device == facts.device && file == facts.number }

  /// Whether another reading found the same claim, and no sign of life since.
  package func isUnchanged(in other: Claim) -> Bool {
    token == other.token && modified == other.modified && device == other.device && file == other.file
  }
}

extension WorkFolder {
  func claimPath(_ number: Int) -> String { FileLocation.path(claimsPath, "\(number)") }

  /// Who renders a chunk.
  /// - Parameter number: The chunk's.
  /// - Returns: nil if it is not claimed. It may have expired.
  public func claim(_ number: Int) -> Claim? { claim(number, now: try? now()) }

  func claim(_ number: Int, now: ServerTime?) -> Claim? { claim(number, at: claimPath(number), now: now) }

  func claim(_ number: Int, at path: String, now: ServerTime?) -> Claim? {
    if let (facts, bytes) = FileFacts.read(path, upTo: Claim.largest) { return Claim(number, facts, bytes, now: now) }
    // Something that is no file of a claim still holds the name.
    return (FileFacts(path: path) ?? FileFacts(unopened: path)).map { Claim(number, $0, [], now: now) }
  }
}
