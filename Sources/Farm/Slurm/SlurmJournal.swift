internal import Foundation

/// The log of a work folder's submissions: a line of JSON per step. Duplicate or missing lines are harmless, because
/// the queue is authoritative.
package struct SlurmJournal: Sendable {
  let files: SlurmFiles

  package init(files: SlurmFiles) { self.files = files }

  static let name = "jobs.jsonl"
  /// Maximum size, for some hundred thousand lines.
  private static let largest = 64 << 20

  package struct Line: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
      /// A user has started a submission, which resets all tries.
      case start
      /// Chunks are about to be submitted: written before, so that it counts even if submitting fails.
      case round
      /// An array of chunks was submitted.
      case pieces
      /// The job to run after the chunks was submitted.
      case assembly
    }

    package var kind: Kind
    package var job: String?
    /// The chunk numbers, such as "0-3,7".
    package var numbers: String?
    /// The difference between chunk and task numbers.
    package var offset: Int?
    /// The requested memory in MiB.
    package var memory: Int?
    /// The requested processors.
    package var processors: Int?
    /// The time in UTC, by the submitting machine's clock.
    package var time: String?

    package init(_ kind: Kind, job: String? = nil, numbers: [Int]? = nil, offset: Int? = nil) {
      (self.kind, self.job, self.offset) = (kind, job, offset)
      self.numbers = numbers.map { ArraySpecification.text(of: $0) }
    }
  }

  package func append(_ line: Line) throws(SlurmError) {
    var line = line
    line.time = Date.now.ISO8601Format()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(line) else { return }
    try files.append(Array(bytes), to: Self.name)
  }

  /// Returns the lines since the last start of a submission, without damaged lines.
  package func lines() throws(SlurmError) -> [Line] {
    let bytes = try files.read(Self.name, upTo: Self.largest) ?? []
    let decoder = JSONDecoder()
    let lines = bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? decoder.decode(Line.self, from: Data($0)) }
    return Array(lines[(lines.lastIndex { $0.kind == .start } ?? 0)...])
  }
}

extension [SlurmJournal.Line] {
  /// The number of submissions of each chunk.
  package var rounds: [Int: Int] {
    var rounds: [Int: Int] = [:]
    // Limits the work for a damaged file; no film has this many.
    var left = 20_000_000
    for line in self where line.kind == .round && left > 0 {
      let numbers = line.numbers.flatMap(ArraySpecification.numbers) ?? []
      left -= numbers.count
      for number in numbers { rounds[number, default: 0] += 1 }
    }
    return rounds
  }

  /// The arrays, oldest first.
  package var arrays: [SlurmArray] {
    filter { $0.kind == .pieces }.compactMap { line in
      guard let job = line.job, !job.isEmpty, job.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      return SlurmArray(job: job, offset: Swift.max(0, line.offset ?? 0))
    }
  }

  /// The maximum requested memory in MiB.
  package var memory: Int? { compactMap(\.memory).max().map { Swift.min($0, 1 << 40) } }
}
