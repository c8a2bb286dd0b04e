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
  @OptionGroup(title: "Streams") var streams: StreamOptions
  @OptionGroup(title: "Light and colour") var mapping: MappingOptions
  @OptionGroup(title: "HDR10 metadata") var metadata: MetadataOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions

  func run() throws {
    FFmpegLog.level = output.verbose ? .verbose : .quiet
    do {
      try checkPaths()
      let (reader, map) = try openInput()
      let format = try MediaWriter.formatName(url: output.url, format: output.format)
      let beside = try StreamPlan(reader, map, options: streams, url: output.url, format: format)
      reader.pass(beside.passed)
      let geometry = try GeometryPlan(reader.video, path: input, output)
      reader.scale(geometry.scaling)
      if let start = output.start { try reader.seek(toSeconds: start.seconds) }
      guard let first = try reader.peekFrame() else {
        throw CommandFailure("'\(input)' has no frame at or after --start \(output.start?.seconds ?? 0).")
      }
      let plan = try TranscodePlan(
        reader: reader, first: first, streams: beside, geometry: geometry, input: source, mapping: mapping,
        metadata: metadata, output: output)
      announce(plan)
      let run = try TranscodeRun(
        reader: reader, first: first, plan: plan, input: source, mapping: mapping, metadata: metadata)
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

  /// The input with the stream that `--map` chooses, and the streams that go with it.
  private func openInput() throws -> (MediaReader, StreamMap) {
    func open(_ index: Int?) throws -> MediaReader {
      try MediaReader(
        url: input, videoIndex: index, threads: mapping.threads ?? ProcessInfo.processInfo.activeProcessorCount,
        limits: MediaReader.Limits(maxErrors: source.maxErrors, acceptsTruncation: source.keepPartial))
    }
    let reader = try open(nil)
    let map = try StreamMap(streams.map, reader)
    if map.indices.contains(reader.video.index) { return (reader, map) }
    let chosen = reader.info.streams.first { stream in
      map.indices.contains(stream.index) && stream.kind == .video && !stream.dispositions.contains("attached_pic")
    }
    guard let chosen else {
      throw CommandFailure("--map takes no video stream: add one, as --map 0:v:0.", .usage)
    }
    return (try open(chosen.index), map)
  }

  private func announce(_ plan: TranscodePlan) {
    (plan.source.warnings + plan.warnings).forEach(Console.warning)
    guard !output.quiet else { return }
    plan.notes.forEach(Console.note)
    Console.note(plan.summary)
  }
}
