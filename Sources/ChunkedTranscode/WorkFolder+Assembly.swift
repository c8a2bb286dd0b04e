internal import Farm
internal import Files
internal import Foundation
internal import Media
internal import Sessions

/// The folder's record of a film's output.
struct Assembly: Codable {
  /// The output file, and its length in bytes.
  let output: String
  let bytes: Int
  /// Checksum of the plan.
  let plan: String
}

extension WorkFolder {
  private var beginningPath: String { path(of: "assembling") }
  private var assemblyPath: String { path(of: "assembled.json") }

  /// Returns whether an interrupted run of this film began to write an output: a file with that name may be its result.
  /// - Parameter output: Name of the output.
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

  /// Forgets the beginning once the output is removed or complete: a file with its name is foreign from then on.
  func forgetBeginning() { unsafe unlink(beginningPath.systemName) }

  /// Records that the output is complete.
  /// - Parameter plan: Checksum of the plan.
  /// - Throws: `OutputError`, `EncodingError`.
  func endAssembly(of output: String, plan: String) throws {
    let assembly = Assembly(output: output, bytes: FileStatus(output)?.byteCount ?? 0, plan: plan)
    let text = String(decoding: try JSONEncoder().encode(assembly), as: UTF8.self)
    try OutputFile(assemblyPath, replaces: true).write(text + "\n")
    forgetBeginning()
  }

  /// Returns the complete output if the file still exists; nil: none.
  /// - Parameter plan: Checksum of the plan.
  func assembledOutput(of plan: String) -> String? {
    guard let bytes = try? SmallFile.bytes(of: assemblyPath, upTo: 1 << 16),
      let assembly = try? JSONDecoder().decode(Assembly.self, from: Data(bytes)), assembly.plan == plan,
      FileStatus(assembly.output)?.byteCount == assembly.bytes
    else { return nil }
    return assembly.output
  }

  /// Returns whether a chunk has exhausted its tries.
  func hasFailed(_ number: Int, maximumTries: Int) throws(FarmError) -> Bool {
    let claim = claim(number)
    let tries = try tries(number)
    return !tries.contains { $0.isLiving(claim) } && tries.count { $0.counts(claim) } >= maximumTries
  }
}
