internal import ArgumentParser
internal import FFmpegIO
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
    FFmpegLog.level = output.messages.verbose ? .verbose : .quiet
    do {
      if let name = output.output { try OutputPath(name).check(input: input, overwrites: output.overwrite) }
      let (reader, map) = try openInput()
      let format = try MediaWriter.formatName(url: output.url, format: output.format)
      let beside = try StreamPlan(reader, map, options: streams, url: output.url, format: format)
      reader.pass(beside.passed)
      let geometry = try GeometryPlan(reader.video, path: input, output)
      reader.scale(geometry.scaling)
      let first = try reader.firstFrame(of: output.selection)
      let plan = try TranscodePlan(
        reader: reader, first: first, streams: beside, geometry: geometry, input: source, mapping: mapping,
        metadata: metadata, output: output)
      announce(plan)
      let run = try TranscodeRun(
        reader: reader, first: first, plan: plan, input: source, mapping: mapping, metadata: metadata)
      if let status = try run.run(output.messages) { throw status }
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The input with the stream that `--map` chooses, and the streams that go with it.
  private func openInput() throws -> (MediaReader, StreamMap) {
    func open(_ index: Int?) throws -> MediaReader {
      try MediaReader(
        url: input, videoIndex: index, threads: mapping.processing.threadCount,
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
    guard !output.messages.quiet else { return }
    plan.notes.forEach(Console.note)
    Console.note(plan.summary)
  }
}
