internal import Farm
internal import Files
internal import Foundation
internal import Media

/// What the folder says about the output of a film.
struct Assembly: Codable {
  /// The output, and its length in bytes.
  let output: String
  let bytes: Int
}

extension WorkFolder {
  private var beginningPath: String { path(of: "assembling") }
  private var assemblyPath: String { path(of: "assembled.json") }

  /// The output was begun when no file of its name existed, or when it was allowed to replace it: what is there now is
  /// ours, if a run was ended between its last two steps.
  /// - Parameter output: Its name.
  func hasBegun(_ output: String) -> Bool {
    (try? SmallFile.bytes(of: beginningPath, upTo: 1 << 16)).map { String(systemBytes: $0).isSameName(as: output) }
      ?? false
  }

  /// - Throws: `OutputError`.
  func beginAssembly(of output: String) throws(OutputError) {
    if hasBegun(output) { return }
    let file = try OutputFile(beginningPath, replaces: true)
    try file.fill([output.systemBytes])
    try file.commit()
  }

  /// Writes down that the output is complete.
  /// - Throws: `OutputError`, `EncodingError`.
  func endAssembly(of output: String) throws {
    let assembly = Assembly(output: output, bytes: FileStatus(output)?.byteCount ?? 0)
    let text = String(decoding: try JSONEncoder().encode(assembly), as: UTF8.self)
    try OutputFile(assemblyPath, replaces: true).write(text + "\n")
  }

  /// The output is complete, and still there.
  /// - Parameter output: nil: whatever its name.
  func isAssembled(_ output: String? = nil) -> Bool {
    guard let bytes = try? SmallFile.bytes(of: assemblyPath, upTo: 1 << 16),
      let assembly = try? JSONDecoder().decode(Assembly.self, from: Data(bytes))
    else { return false }
    if let output, !assembly.output.isSameName(as: output) { return false }
    return FileStatus(assembly.output)?.byteCount == assembly.bytes
  }

  /// A chunk has used up its tries.
  func hasFailed(_ number: Int, maximumTries: Int) throws(FarmError) -> Bool {
    let claim = claim(number)
    let tries = try tries(number)
    return !tries.contains { $0.isLiving(claim) } && tries.count { $0.counts(claim) } >= maximumTries
  }
}
