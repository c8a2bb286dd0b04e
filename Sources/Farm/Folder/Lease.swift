internal import Files
internal import Foundation
internal import Synchronization

/// A claim to a chunk that this process holds, and renews while rendering.
public final class Lease: Sendable {
  /// Maximum tries to take a claim that others are changing.
  private static let maximumAttempts = 8
  /// Checks before a claim counts as gone: it has another name for a moment while others check its expiry.
  private static let absentChecks = 5

  /// The number of the chunk.
  public let number: Int
  /// A unique token, which is part of the names of files written under this lease.
  public let token: String
  /// The time at which it was taken.
  public let taken: ServerTime
  /// Lifetime in seconds without a renewal, after which other machines may take the chunk.
  public let duration: Double

  private let folder: WorkFolder
  private let machine: Machine
  /// The claim file's descriptor, independent of its name: writing never damages another machine's claim.
  private let descriptor: Int32
  private let hasLost = Atomic(false)
  private let isReleased = Atomic(false)

  private init(_ file: ClaimFile, _ machine: Machine, _ duration: Double) {
    (number, token, taken, folder) = (file.number, file.token, file.written, file.folder)
    self.machine = machine
    self.duration = duration
    descriptor = file.descriptor
  }

  deinit { close(descriptor) }

  /// Claims a chunk.
  /// - Parameters:
  ///   - number: The number of the chunk, from 0.
  ///   - folder: The film's work folder.
  ///   - machine: The machine that will render it.
  ///   - seconds: Lifetime without a renewal: 1 to 86,400.
  /// - Returns: nil if it is claimed by an active machine.
  /// - Throws: `FarmError.failed`.
  public static func take(
    _ number: Int, in folder: WorkFolder, by machine: Machine, lasting seconds: Double = Claim.defaultDuration
  ) throws(FarmError) -> Lease? {
    let duration = Claim.possible(seconds)
    let content = Claim.Content(
      token: DurableFile.token(), machine: machine, process: ProcessIdentity.current, duration: duration)
    let file = try ClaimFile(number, in: folder, content)
    let lease = Lease(file, machine, duration)
    defer { file.removeTemporary() }
    for _ in 0..<maximumAttempts {
      if try file.claim() { return lease }
      guard let claim = folder.claim(number, now: file.written) else { continue }
      guard claim.isFree(for: machine) else { return nil }
      _ = try folder.removeClaim(number, where: claim.isUnchanged)
    }
    return nil
  }

  /// Whether another machine had taken the chunk at the last renewal: the result may still be committed, but is
  /// rendered twice.
  public var isLost: Bool { hasLost.load(ordering: .relaxed) }

  /// Renews the claim. Must be called several times per lifetime.
  /// - Parameters:
  ///   - frames: Frames rendered so far.
  ///   - framesPerSecond: The current rendering rate; 0 if not yet known.
  /// - Throws: `FarmError.failed` if writing fails; the claim may still be held.
  public func renew(frames: Int, framesPerSecond: Double) throws(FarmError) {
    if isLost || isReleased.load(ordering: .relaxed) { return }
    let rate = framesPerSecond.isFinite ? (framesPerSecond * 1000).rounded() / 1000 : 0
    let content = Claim.Content(
      token: token, machine: machine, process: ProcessIdentity.current, duration: duration, frames: frames,
      framesPerSecond: rate)
    var code: Int32?
    do { try DurableFile.overwrite(descriptor, ClaimFile.bytes(content)) } catch { code = error.code }
    if !isStillThere {
      hasLost.store(true, ordering: .relaxed)
    } else if let code {
      // A full file system may still accept a new timestamp.
      guard futimens(descriptor, nil) == 0, code == ENOSPC || code == EDQUOT else {
        throw .failed(.write, path: folder.claimPath(number), code: code)
      }
    }
  }

  private var isStillThere: Bool {
    for check in 0..<Self.absentChecks {
      if check > 0 { usleep(50_000) }
      if let claim = folder.claim(number, now: nil) { return isOwn(claim) }
    }
    // If the folder itself is unreachable, assume that it is.
    return FileStatus(folder.claimsPath) == nil
  }

  /// A damaged file may be this lease's own, partly written when the disk filled up.
  private func isOwn(_ claim: Claim) -> Bool {
    if claim.token == token { return true }
    guard claim.token.isEmpty, let own = FileFacts(descriptor) else { return false }
    return claim.isFile(own)
  }

  /// Releases the chunk, rendered or not. A claim that another machine has taken remains.
  public func release() {
    guard !isReleased.exchange(true, ordering: .relaxed), !isLost else { return }
    _ = try? folder.removeClaim(number, where: isOwn)
  }
}
