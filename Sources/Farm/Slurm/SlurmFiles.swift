internal import Files
internal import Foundation
internal import Glibc

/// The files of a submission, in the subfolder "slurm" of a work folder.
package struct SlurmFiles: Sendable {
  /// The work folder.
  let folder: String

  package init(folder: String) { self.folder = folder }

  package func path(_ name: String) -> String { FileLocation.path(FileLocation.path(folder, "slurm"), name) }

  /// Creates the folders of scripts and logs, unless they exist.
  package func create() throws(SlurmError) {
    for path in [FileLocation.path(folder, "slurm"), path("log")] where unsafe mkdir(path.systemName, 0o777) != 0 {
      let code = errno
      guard code == EEXIST else { throw .cannotWrite(path: path, code: code) }
    }
  }

  /// Atomically writes a file, replacing an existing one.
  package func write(_ bytes: [UInt8], to name: String, isProgram: Bool = false) throws(SlurmError) {
    do { try DurableFile.replace(path(name), bytes, permissions: isProgram ? 0o777 : 0o666) } catch {
      throw .cannotWrite(path: path(name), code: error.code)
    }
  }

  /// Appends a line to a file in a single call.
  package func append(_ line: [UInt8], to name: String) throws(SlurmError) {
    let path = path(name)
    let descriptor = unsafe open(path.systemName, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666 as mode_t)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, code: errno) }
    let newline = UInt8(ascii: "\n")
    // A process killed while writing may have left an incomplete line.
    var last = newline
    let end = lseek(descriptor, 0, SEEK_END)
    if end > 0 { _ = unsafe pread(descriptor, &last, 1, end - 1) }
    var code = Self.write((last == newline ? [] : [newline]) + line + [newline], to: descriptor)
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code == 0 else { throw .cannotWrite(path: path, code: code) }
  }

  /// - Returns: An `errno` value, or 0.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? EIO : errno }
      written += count
    }
    do { try DurableFile.sync(descriptor) } catch { return error.code }
    return 0
  }

  /// - Returns: nil if the file does not exist.
  func read(_ name: String, upTo largest: Int) throws(SlurmError) -> [UInt8]? {
    do { return try SmallFile.bytes(of: path(name), upTo: largest) } catch {
      if error == .system(ENOENT) { return nil }
      throw .cannotRead(path: path(name), reason: "\(error)")
    }
  }
}

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
    guard let bytes = JSONText.bytes(line) else { return }
    try files.append(bytes.dropLast(), to: Self.name)
  }

  /// Returns the lines since the last start of a submission, without damaged lines.
  package func lines() throws(SlurmError) -> [Line] {
    let bytes = try files.read(Self.name, upTo: Self.largest) ?? []
    let lines = bytes.split(separator: UInt8(ascii: "\n")).compactMap { JSONText.value(Line.self, Array($0)) }
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
