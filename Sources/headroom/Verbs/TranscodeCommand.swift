internal import ArgumentParser
internal import FFmpegIO
internal import Foundation
internal import Frames

/// `headroom transcode INPUT -o OUTPUT`
struct TranscodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcode", abstract: "Convert HDR video to SDR, or to HDR10 or HLG at another peak.")

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Light and colour") var mapping: MappingOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions

  func run() throws {
    FFmpegLog.level = output.verbose ? .verbose : .quiet
    do {
      try checkPaths()
      let reader = try MediaReader(url: input, threads: mapping.threads ?? ProcessInfo.processInfo.activeProcessorCount)
      let geometry = try GeometryPlan(reader.video, path: input, output)
      reader.scale(geometry.scaling)
      if let start = output.start { try reader.seek(toSeconds: start.seconds) }
      guard let first = try reader.peekFrame() else {
        throw CommandFailure("'\(input)' has no frame at or after --start \(output.start?.seconds ?? 0).")
      }
      let plan = try TranscodePlan(
        reader: reader, first: first, geometry: geometry, input: source, mapping: mapping, output: output)
      announce(plan, reader)
      let run = try TranscodeRun(reader: reader, first: first, plan: plan, input: source, mapping: mapping)
      if let status = try run.run(progress: output.progress, isQuiet: output.quiet) { throw status }
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Nothing that exists is replaced unasked, and never the input.
  private func checkPaths() throws {
    guard let name = output.output, let path = MediaWriter.file(at: name) else { return }
    if path == MediaWriter.file(at: input) {
      throw CommandFailure("'\(name)' is the input: give the output another name.", .usage)
    }
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard unsafe files.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    if isFolder.boolValue { throw CommandFailure("'\(name)' is a folder: name a file in it.", .usage) }
    let isRegular = (try? files.attributesOfItem(atPath: path)[.type]) as? FileAttributeType == .typeRegular
    if isRegular, !output.overwrite {
      throw CommandFailure("'\(name)' exists already: give another name, or add --overwrite to replace it.")
    }
  }

  private func announce(_ plan: TranscodePlan, _ reader: MediaReader) {
    (plan.source.warnings + plan.warnings).forEach(Console.warning)
    guard !output.quiet else { return }
    plan.source.notes.forEach(Console.note)
    Console.note(plan.summary)
    let others = reader.info.streams.filter { $0.index != reader.video.index }
    guard !others.isEmpty else { return }
    let words = others.map { "#\($0.index) \($0.kind.rawValue) \($0.codecName)" }.joined(separator: ", ")
    Console.note("left out: \(words) (only the video stream is written)")
  }
}
