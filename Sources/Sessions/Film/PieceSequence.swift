internal import FFmpegIO
internal import Farm
internal import Files
internal import Foundation
internal import Frames
internal import Media

/// The pieces of a film in order, checked before they are joined, and waited for if need be.
final class PieceSequence {
  private let session: Session
  private let film: Film
  private let follows: Bool
  private let allowsMixed: Bool
  /// Those that were checked.
  private var records: [PieceRecord] = []
  private var saidVersions = false

  private var plan: FilmPlan { film.plan }

  /// - Parameters:
  ///   - follows: Pieces that are missing are waited for; otherwise they are an error.
  ///   - allowsMixed: Pieces of other versions are accepted.
  init(_ session: Session, _ film: Film, follows: Bool, allowsMixed: Bool) {
    (self.session, self.film, self.follows, self.allowsMixed) = (session, film, follows, allowsMixed)
  }

  /// Checks every piece, so that all that are missing or wrong are named at once.
  /// - Throws: `Refusal` that names them.
  private func checkAll() throws {
    var (missing, rejected): ([Int], [FilmDiagnostic.Rejection]) = ([], [])
    var (previous, found): (PieceRecord?, [PieceRecord]) = (nil, [])
    for number in plan.chunks.indices {
      if session.isCancelled { throw Session.Cancellation() }
      guard let record = try film.folder.record(number) else {
        missing.append(number)
        previous = nil
        continue
      }
      if let fault = try deepFault(record, after: previous) {
        rejected.append(FilmDiagnostic.Rejection(number: number, fault: fault))
        previous = nil
      } else {
        previous = record
        found.append(record)
      }
    }
    try film.reject(rejected)
    guard missing.isEmpty, rejected.isEmpty else {
      throw Refusal.failed(.film(.isIncomplete(folder: film.folder.path, missing: missing, rejected: rejected)))
    }
    records = found
  }

  /// What is wrong with a piece; nil: nothing.
  /// - Parameter previous: The piece before it, if that is valid.
  private func deepFault(_ record: PieceRecord, after previous: PieceRecord?) throws -> PieceFault? {
    if let fault = film.fault(record) { return fault }
    if let (tool, planned, found) = plan.versions.difference(from: ToolVersions(record.versions)) {
      if !allowsMixed { return .version(tool: tool, planned: planned, found: found) }
      if !saidVersions { session.warn([.film(.mixesVersions(tool: tool, planned: planned, own: found))]) }
      saidVersions = true
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
    return previous.flatMap { seamFault(record, after: $0) }
  }

  /// Both pieces have decoded the frame where they meet, from different places of the input.
  private func seamFault(_ record: PieceRecord, after previous: PieceRecord) -> PieceFault? {
    // Frames that do not exist are between the two.
    guard let first = record.first, let before = previous.next else {
      return record.first != nil && previous.next == nil ? .seam(before: nil, first: record.first.map(seconds)) : nil
    }
    if before == first || record.damaged + previous.damaged > 0 && before.time == first.time { return nil }
    return .seam(before: seconds(before), first: seconds(first))
  }

  private func seconds(_ seam: PieceRecord.Seam) -> Double { Double(seam.time) * plan.inputTimeBase.value }

  /// The record of a piece, once it is there. Pieces are asked for in order.
  /// - Returns: nil if `cancel()` was called.
  /// - Throws: `Refusal` if it is missing, or has failed for good.
  func record(_ number: Int) throws -> PieceRecord? {
    if !follows, records.isEmpty { try checkAll() }
    if number < records.count { return records[number] }
    while !session.isCancelled {
      if let record = try film.folder.record(number) {
        guard let fault = try deepFault(record, after: records.last) else {
          records.append(record)
          return record
        }
        session.warn([.film(.isRejected(number: number, fault))])
        try film.reject([FilmDiagnostic.Rejection(number: number, fault: fault)])
        if case .version = fault { throw incomplete(number, fault) }
      }
      if try film.folder.hasFailed(number, maximumTries: plan.maximumTries) {
        throw Refusal.failed(
          .film(.hasFailed(folder: film.folder.path, numbers: [number], lastWords: film.lastWords(number))))
      }
      Thread.sleep(forTimeInterval: 1)
    }
    return nil
  }

  /// Rejects a piece.
  /// - Returns: The error that names it.
  func reject(_ number: Int, because fault: PieceFault) throws -> Refusal {
    try film.reject([FilmDiagnostic.Rejection(number: number, fault: fault)])
    return incomplete(number, fault)
  }

  private func incomplete(_ number: Int, _ fault: PieceFault) -> Refusal {
    .failed(
      .film(
        .isIncomplete(
          folder: film.folder.path, missing: [], rejected: [FilmDiagnostic.Rejection(number: number, fault: fault)])))
  }
}

extension Film {
  /// Rejects pieces, so that they are rendered again.
  func reject(_ rejected: [FilmDiagnostic.Rejection]) throws {
    for each in rejected {
      // Versions may be accepted next time.
      if case .version = each.fault { continue }
      try folder.reject(each.number, because: "\(each.fault)")
    }
  }
}
