/// An ffmpeg program and its capabilities.
struct FFmpeg {
  let program: String
  let version: String
  private let filters: Set<Substring>

  /// - Parameter program: A path, or a name to look up in PATH.
  init(_ program: String, in scratch: Scratch) throws {
    self.program = program
    let words = try MeasuredProcess(program: program, arguments: ["-version"]).output(in: scratch).split(separator: " ")
    version = words.count > 2 ? String(words[2]) : "unknown"
    let list = try MeasuredProcess(program: program, arguments: ["-hide_banner", "-filters"]).output(in: scratch)
    // Lines have the form " TSC zscale  V->V  Description."
    filters = Set(list.split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst().first })
  }

  func has(filter: String) -> Bool { filters.contains(filter[...]) }

  func process(_ arguments: [String]) -> MeasuredProcess {
    MeasuredProcess(program: program, arguments: ["-hide_banner", "-nostdin", "-v", "error"] + arguments)
  }
}
