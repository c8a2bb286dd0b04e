internal import Files
internal import Foundation
internal import Synchronization

/// A claim to a chunk that this process holds and renews while it renders.
public final class Lease: Sendable {
  /// Attempts to get a claim that others are changing.
  private static let maximumAttempts = 8
  /// While others look whether it has expired, a claim has another name for a moment.
  private static let absentChecks = 5

  /// The chunk's.
  public let number: Int
  /// Distinguishes it from all other leases: part of the name of what is written under it.
  public let token: String
  /// When it was taken.
  public let taken: ServerTime
  /// Seconds without a renewal after which other machines may take the chunk.
  public let duration: Double

  private let folder: WorkFolder
  private let machine: Machine
  /// Of the claim's file, whatever its name is by now: writing to it never harms the claim of another.
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
  ///   - number: The chunk's, from 0.
  ///   - folder: Of the film.
  ///   - machine: What will render it.
  ///   - seconds: Time without a renewal after which others may take it: 1 to 86,400.
  /// - Returns: nil if a living machine has claimed it.
  /// - Throws: `FarmError.failed`.
  public static func take(
    _ number: Int, in folder: WorkFolder, by machine: Machine, lasting seconds: Double = Claim.usualDuration
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

  /// Whether another machine has the chunk by now, as the last renewal found it: what is rendered may still be
  /// committed, but will have been rendered twice.
  public var isLost: Bool { hasLost.load(ordering: .relaxed) }

  /// Shows that this process is alive. To be called several times within the lease's duration.
  /// - Parameters:
  ///   - frames: Frames rendered so far.
  ///   - framesPerSecond: Rate of the last seconds; 0 if it is not known yet.
  /// - Throws: `FarmError.failed` if the claim could not be written; it may still be held.
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
      // A file system that takes no data may still take a time.
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
    // Where the folder itself is out of reach, nothing is known.
    return FileStatus(folder.claimsPath) == nil
  }

  /// A damaged file may be this lease's own, written by half as a disk became full.
  private func isOwn(_ claim: Claim) -> Bool {
    if claim.token == token { return true }
    guard claim.token.isEmpty, let own = FileFacts(descriptor) else { return false }
    return claim.isFile(own)
  }

  /// Gives the chunk back, rendered or not. A claim that another has taken meanwhile stays.
  public func release() {
    guard !isReleased.exchange(true, ordering: .relaxed), !isLost else { return }
    _ = try? folder.removeClaim(number, where: isOwn)
  }
}
