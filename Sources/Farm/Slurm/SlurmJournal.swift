internal import Foundation

/// What was submitted for a work folder: a line of JSON for each step. What is there twice or not at all does no harm, as the queue is asked.
package struct SlurmJournal: Sendable {
  let files: SlurmFiles

  package init(files: SlurmFiles) { self.files = files }

  static let name = "jobs.jsonl"
  /// Some hundred thousand lines.
  private static let largest = 64 << 20

  package struct Line: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
      /// A user has begun a submission: chunks have all their tries again.
      case start
      /// Chunks are about to be submitted: written before, so that it counts however the submission ends.
      case round
      /// An array of chunks was submitted.
      case pieces
      /// The job was submitted that runs when the chunks have ended.
      case assembly
    }

    package var kind: Kind
    package var job: String?
    /// "0-3,7": chunks.
    package var numbers: String?
    /// What is added to the number of a task to get that of its chunk.
    package var offset: Int?
    /// MiB that were asked for.
    package var memory: Int?
    /// Processors that were asked for.
    package var processors: Int?
    /// By the clock of the machine that submitted, in UTC.
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

  /// The lines since a user has begun a submission; lines that are damaged are passed over.
  package func lines() throws(SlurmError) -> [Line] {
    let bytes = try files.read(Self.name, upTo: Self.largest) ?? []
    let decoder = JSONDecoder()
    let lines = bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? decoder.decode(Line.self, from: Data($0)) }
    return Array(lines[(lines.lastIndex { $0.kind == .start } ?? 0)...])
  }
}

extension [SlurmJournal.Line] {
  /// How often each chunk was submitted.
  package var rounds: [Int: Int] {
    var rounds: [Int: Int] = [:]
    // No film has more; a damaged file may.
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

  /// MiB, the most that was asked for.
  package var memory: Int? { compactMap(\.memory).max().map { Swift.min($0, 1 << 40) } }
}
