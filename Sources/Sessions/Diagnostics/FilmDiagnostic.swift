/// About a film that is rendered in pieces.
public enum FilmDiagnostic: Sendable, Hashable, Codable {
  /// Why an input, or what is asked of it, cannot be divided.
  case cannotBeDivided(name: String, FilmObstacle)
  /// A file cannot be read, and why.
  case cannotRead(name: String, reason: String)
  /// All packets of the input are read to find its frames.
  case readsPackets(name: String)
  /// All frames are decoded to follow the dynamic metadata over them.
  case followsShots(name: String)
  /// The work folder has this very plan.
  case isPlanned(folder: String)
  /// The work folder has another plan, which is replaced only if asked for.
  case holdsAnotherPlan(folder: String)
  /// The folder has no plan yet, or none that is whole.
  case hasNoPlan(folder: String)
  /// There is no such folder.
  case isNoFolder(folder: String)
  /// It is not a folder, or its own folder does not exist.
  case cannotBeFolder(folder: String)
  /// The folder has files that do not belong to a work folder: one of them.
  case folderHasOthers(folder: String, name: String)
  /// The plan is damaged, or of another version.
  case isNoPlan(folder: String)
  /// The plan was made by, or for, another version: what, the plan's version, this one.
  case isOfOtherVersion(folder: String, tool: String, planned: String, own: String)
  /// The same, where that is accepted.
  case mixesVersions(tool: String, planned: String, own: String)
  /// Packets of the input are damaged: what a decoder makes of them depends on where it began.
  case mayDifferWhereDamaged(name: String, packets: Int)
  /// The input is no longer what it was.
  case inputChanged(name: String, InputFingerprint.Change)
  /// The plan has no chunk of this number.
  case hasNoChunk(number: Int, count: Int)
  /// A piece is there and valid.
  case isRendered(number: Int)
  /// Living machines render pieces that are waited for.
  case isAwaited([Claimed])
  /// Machines render the rest, and nothing else is free.
  case nothingIsFree(folder: String)
  /// A piece is about to be rendered: its number, that of all, and its span in seconds of the film.
  case renders(number: Int, count: Int, from: Double, to: Double?)
  /// A piece is complete.
  case rendered(number: Int, frames: Int, seconds: Double)
  /// A piece was rejected, and why: it is rendered again.
  case isRejected(number: Int, PieceFault)
  /// A piece that was just made is not as it should be.
  case isFaulty(number: Int, PieceFault)
  /// Pieces that are missing, and those that are not valid, with the reason.
  case isIncomplete(folder: String, missing: [Int], rejected: [Rejection])
  /// Pieces that have used up their tries, and the last words of the first.
  case hasFailed(folder: String, numbers: [Int], lastWords: String?)
  /// The film was assembled before.
  case isAssembled(output: String)
  /// Somebody has cancelled the film while a piece was rendered.
  case isCancelled(folder: String, number: Int)
  /// The work folder has got another plan meanwhile.
  case isReplaced(folder: String)
  /// A piece could not be rendered, and why; others are.
  case pieceFailed(number: Int, reason: String)
  /// A signal has stopped a piece, which was dropped.
  case isStopped(folder: String, number: Int)
  /// The output has another container than the plan, whose FFmpeg name this is.
  case isOfOtherFormat(output: String, format: String)
  /// Jobs were submitted to a queue, for this many chunks; none: all are in the queue.
  case submitted(jobs: [String], chunks: Int)
  /// Pieces are joined.
  case joins(count: Int, output: String)

  /// A piece that a machine renders.
  public struct Claimed: Sendable, Hashable, Codable {
    /// Number of the piece.
    public let number: Int
    /// Name of the machine.
    public let host: String

    /// A piece by its number, and the machine's name.
    package init(number: Int, host: String) { (self.number, self.host) = (number, host) }
  }

  /// A piece that is not valid.
  public struct Rejection: Sendable, Hashable, Codable {
    /// Number of the piece.
    public let number: Int
    /// What is wrong with it.
    public let fault: PieceFault

    /// A piece by its number, and what is wrong with it.
    package init(number: Int, fault: PieceFault) { (self.number, self.fault) = (number, fault) }
  }
}
