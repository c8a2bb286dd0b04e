internal import FFmpegIO
internal import Farm
internal import Files
internal import Foundation
internal import Frames
internal import Media
internal import Sessions

/// The pieces of a film in order, checked before they are joined; waits for missing ones if requested.
final class PieceSequence {
  private let session: Session
  private let film: Film
  private let follows: Bool
  private let allowsMixed: Bool
  /// Records that passed the check.
  private var records: [PieceRecord] = []
  private var hasReportedVersions = false
  /// Start of the work by the folder's clock.
  private let start: ServerTime

  private var plan: FilmPlan { film.plan }

  /// - Parameters:
  ///   - follows: Waits for missing pieces; otherwise they are an error.
  ///   - allowsMixed: Accepts pieces of other versions.
  /// - Throws: `FarmError` if the folder cannot be written.
  init(_ session: Session, _ film: Film, follows: Bool, allowsMixed: Bool) throws(FarmError) {
    start = try film.folder.now()
    (self.session, self.film, self.follows, self.allowsMixed) = (session, film, follows, allowsMixed)
  }

  /// Faulty pieces with the records that were checked: a newer record is not rejected.
  private struct Rejected {
    var records: [Int: PieceRecord] = [:]
    var faults: [Int: PieceFault] = [:]

    mutating func add(_ record: PieceRecord, _ fault: PieceFault) {
      (records[record.number], faults[record.number]) = (record, fault)
    }

    var list: [RejectedPiece] {
      faults.sorted { $0.key < $1.key }.map { RejectedPiece(number: $0.key, fault: $0.value) }
    }
  }

  /// Checks every piece, so that all missing and faulty ones are reported at once.
  /// - Throws: `Refusal` that lists them.
  private func checkAll() throws {
    var (missing, rejected): ([Int], Rejected) = ([], Rejected())
    var (previous, found): (PieceRecord?, [PieceRecord]) = (nil, [])
    for number in plan.chunks.indices {
      if session.isCancelled { throw Session.Cancellation() }
      guard let record = try film.folder.record(number) else {
        missing.append(number)
        previous = nil
        continue
      }
      found.append(record)
      if let fault = try deepFault(record) {
        rejected.add(record, fault)
        previous = nil
        continue
      }
      add(seamFault(record, after: previous), record, previous, to: &rejected)
      previous = record
    }
    try reject(rejected)
    guard missing.isEmpty, rejected.list.isEmpty else {
      throw incomplete(missing: missing, rejected.list)
    }
    records = found
  }

  /// Adds a fault to the list; at a seam either piece may be wrong.
  private func add(_ fault: PieceFault?, _ record: PieceRecord, _ previous: PieceRecord?, to rejected: inout Rejected) {
    guard let fault else { return }
    rejected.add(record, fault)
    if let previous { rejected.add(previous, fault) }
  }

  /// Returns the fault of a piece; nil: none.
  private func deepFault(_ record: PieceRecord) throws -> PieceFault? {
    if let fault = film.fault(record) { return fault }
    if let (tool, planned, found) = plan.versions.difference(from: ToolVersions(record.versions)) {
      if !allowsMixed { return .version(tool: tool, planned: planned, found: found) }
      if !hasReportedVersions { session.warn([.versionsMixed(tool, planned: planned, own: found)]) }
      hasReportedVersions = true
    }
    if let name = record.file {
      do {
        guard let hash = try ContentHash.of(file: film.folder.piecePath(name), isStopped: { session.isCancelled })
        else { throw Session.Cancellation() }
        if hash.text != record.hash { return .contents }
      } catch let failure as SmallFile.Failure {
        return .isUnreadable(failure.description)
      }
    }
    // The selection ends before a frame that the last piece must have seen.
    if record.number == plan.chunks.count - 1, plan.end != nil, record.next == nil, record.damaged == 0 {
      return .seam(before: nil, first: nil)
    }
    return nil
  }

  /// Compares the frame at the seam, which both pieces decoded from different positions of the input.
  /// - Parameter previous: The piece before, if it is valid.
  private func seamFault(_ record: PieceRecord, after previous: PieceRecord?) -> PieceFault? {
    guard let previous else { return nil }
    // A piece without frames passes on the frame seen by the one before.
    guard let first = record.first ?? record.next, let before = previous.next else {
      return record.first == nil && record.next == nil && previous.next == nil
        ? nil : .seam(before: previous.next.map(seconds), first: record.first.map(seconds))
    }
    if before == first || record.damaged + previous.damaged > 0 && before.time == first.time { return nil }
    return .seam(before: seconds(before), first: seconds(first))
  }

  private func seconds(_ seam: PieceRecord.Seam) -> Double { Double(seam.time) * plan.inputTimeBase.value }

  /// Returns the record of a piece as soon as it exists. Pieces are requested in order.
  /// - Returns: nil if `cancel()` was called.
  /// - Throws: `Refusal` if it is missing, or has finally failed.
  func record(_ number: Int) throws -> PieceRecord? {
    if !follows, records.isEmpty { try checkAll() }
    if number < records.count { return records[number] }
    while !session.isCancelled {
      // Pieces of a new plan do not belong to this run.
      if !film.isCurrent { throw Refusal.failed(.planReplaced(in: film.folder.path)) }
      if let record = try film.folder.record(number) {
        var rejected = Rejected()
        if let fault = try deepFault(record) { rejected.add(record, fault) }
        add(rejected.list.isEmpty ? seamFault(record, after: records.last) : nil, record, records.last, to: &rejected)
        guard let first = rejected.list.first else {
          records.append(record)
          return record
        }
        session.warn(rejected.list.map { .pieceRejected($0.number, $0.fault) })
        try reject(rejected)
        if case .version = first.fault { throw incomplete(rejected.list) }
        // The previous piece is already in the output.
        if rejected.list.count > 1 { throw incomplete(rejected.list) }
      }
      if film.folder.wasCancelled(since: start) { throw FarmError.cancelled(path: film.folder.path) }
      if try film.folder.hasFailed(number, maximumTries: plan.maximumTries) {
        throw Refusal.failed(.triesExhausted([number], of: film))
      }
      Thread.sleep(forTimeInterval: 1)
    }
    return nil
  }

  private func reject(_ rejected: Rejected) throws {
    for each in rejected.list {
      // The next run may accept other versions.
      if case .version = each.fault { continue }
      try film.folder.reject(each.number, because: "\(each.fault)", record: rejected.records[each.number])
    }
  }

  /// Rejects a piece that had passed the check.
  /// - Returns: The error that names it.
  func reject(_ number: Int, because fault: PieceFault) throws -> Refusal {
    var rejected = Rejected()
    rejected.add(records[number], fault)
    try reject(rejected)
    return incomplete(rejected.list)
  }

  private func incomplete(missing: [Int] = [], _ rejected: [RejectedPiece]) -> Refusal {
    .failed(.filmIncomplete(in: film.folder.path, missing: missing, rejected: rejected))
  }
}
