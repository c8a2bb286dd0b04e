internal import ColorScience
internal import FFmpegIO
internal import Filters
internal import Frames
internal import Measurement
internal import Rendering
internal import ToneMapping

/// Everything that a transcode does, resolved before the first frame is rendered.
struct TranscodePlan {
  var source: SourcePlan
  var target: TargetPlan
  var geometry: GeometryPlan
  /// The light of what is transcoded, where it was measured.
  var measured: ContentMeasurement?
  var writer: MediaWriter.Settings
  var selection: FrameSelection
  /// In their order.
  let filters: [Filter]
  /// Streams whose packets go past the renderer.
  var passed: [StreamCopy]
  /// Said once.
  var notes: [String]
  /// What the output cannot hold or will show badly.
  var warnings: [String] = []

  init(
    reader: any MediaInput, first: CodedFrame, streams: StreamPlan, geometry: GeometryPlan,
    measured: ContentMeasurement?, options: TranscodeOptions
  ) throws {
    let output = options.output
    self.geometry = geometry
    self.measured = measured
    source = try SourcePlan(
      frame: first, path: reader.info.url, overrides: options.source.overrides, use: options.sceneUse,
      measured: measured)
    filters = try options.filters.parsed()
    target = try TargetPlan(source, options: options.mapping, asked: options.metadata, paints: !filters.isEmpty)
    selection = FrameSelection(output.selection)
    passed = streams.passed
    notes = source.notes + target.notes + streams.notes
    warnings = streams.warnings + target.warnings
    let format = try MediaWriter.formatName(url: output.url, format: output.coding.format)
    let layout = try Self.layout(output.coding, format: format, color: target.color)
    if layout.components != .ycbcr420 { target.color.chromaLocation = .left }
    if layout.components == .rgb { (target.color.matrix, target.color.range) = (.rgb, .full) }
    // An edit list hides what is before zero; only a source that does so itself means it.
    selection.setOrigin(
      first: first, reader, passed: passed, copies: output.copyTimestamps,
      hidesNegative: !reader.info.formatName.contains("mp4") && MediaWriter.hidesNegativeTimes(format))
    let clock = try OutputClock(
      for: reader.video, keepsTimes: MediaWriter.keepsTimes(url: output.url, format: output.coding.format),
      encoder: output.coding.encoder
        ?? Encoders.defaultEncoder(forFormat: format, layout: layout, color: target.color))
    writer = MediaWriter.Settings(
      url: output.url, format: output.coding.format, encoder: output.coding.encoder,
      size: Filter.frameSize(filters, picture: geometry.orientation.turned(first.size)),
      layout: layout, timeBase: clock.timeBase, frameRate: clock.frameRate,
      color: target.color)
    try describe(first, reader, streams, output)
    try remark(first, reader.video, format: format)
    if geometry.displayMatrix != nil, filters.contains(where: \.drawsPanel) {
      warnings.append(
        "Players turn this picture, and with it what filters write on it: --bake-rotation turns it before.")
    }
    if options.source.light.strict, let warning = warnings.first { throw CommandFailure("\(warning) (--strict)") }
  }

  /// States the light that was measured of what will be coded.
  mutating func state(_ light: ContentLight) {
    let advice = PipeAdvice.words(target.color, target.metadata)
    target.metadata.contentLight = light.limited(to: target.limit)
    notes = notes.map { $0 == advice ? PipeAdvice.words(target.color, target.metadata) ?? $0 : $0 }
    writer.metadata.contentLight = target.metadata.contentLight
  }

  /// What the writer is told besides the form of frames.
  private mutating func describe(
    _ first: CodedFrame, _ reader: any MediaInput, _ streams: StreamPlan, _ output: OutputOptions
  ) throws {
    writer.replacesFile = output.overwrite
    writer.preset = output.coding.preset
    writer.crf = output.coding.crf
    writer.encoderOptions = try output.coding.parsedEncoderOptions()
    writer.metadata = target.metadata
    writer.insistsOnMetadata = target.insistsOnMetadata
    writer.sampleAspectRatio = geometry.sampleAspectRatio
    writer.displayMatrix = geometry.displayMatrix
    writer.projection = reader.video.projection
    writer.fieldOrder = first.fieldOrder
    writer.streams = streams.streams
    writer.videoTags = streams.videoTags
    writer.videoDispositions = streams.videoDispositions
    writer.tags = streams.tags
    moveTimecode(first, reader)
    let begin = selection.originSeconds(first: first, rate: writer.frameRate?.value)
    let end = selection.length(rate: writer.frameRate?.value).map { begin + $0 }
    writer.chapters = reader.info.chapters.compactMap { $0.inside(begin: begin, end: end) }
    writer.beginsAtZero = selection.movesTimes || first.time.presentation >= 0
  }

  /// The timecode is that of the input's first frame, which a cut may leave out.
  private mutating func moveTimecode(_ first: CodedFrame, _ reader: any MediaInput) {
    guard let rate = writer.frameRate else { return }
    let skipped = (first.time.seconds - (reader.info.startTime ?? 0)) * rate.value
    let frames = Int(min(max(skipped.rounded(), 0), 1e9)) + (selection.range?.first ?? 0)
    guard frames > 0 else { return }
    func moved(_ tags: inout [String: String]) {
      tags["timecode"] = tags["timecode"].flatMap { Timecode.moved($0, by: frames, rate: rate) }
    }
    moved(&writer.videoTags)
    moved(&writer.tags)
  }

  /// What the user may not expect of this output.
  private mutating func remark(_ first: CodedFrame, _ video: VideoStreamInfo, format: String) throws {
    if writer.layout.bitDepth == 8, target.color.transfer != .bt709 {
      warnings.append("Eight bits are too few for HDR and will show bands: choose --pixel-format yuv420p10le.")
    }
    if !writer.chapters.isEmpty, MediaWriter.losesChapters(format) {
      warnings.append("\(format) has no chapters: the \(writer.chapters.count) of the input are left out.")
      writer.chapters = []
    }
    let lost = MediaWriter.lostTags(writer.tags, in: format)
    if !lost.isEmpty {
      warnings.append("\(format) has no place for the tags \(lost.joined(separator: ", ")): left out.")
    }
    let late = first.time.seconds - selection.originSeconds(first: first, rate: nil)
    if !selection.beginsWithFrame, late > 1, format != "null" {
      notes.append("The first picture is at \((late * 100).rounded(.down) / 100) s of the output.")
    }
    if try format != "null" && !MediaWriter.keepsTimes(url: writer.url, format: format), video.hasVariableRate {
      warnings.append("\(format) has one frame rate, and the input has not: the times of its frames are lost.")
    }
    if video.hasVariableRate, try MediaWriter.keepsTimes(url: writer.url, format: format), let rate = writer.frameRate,
      writer.timeBase == Rational(rate.denominator, rate.numerator)
    {
      warnings.append(
        "The encoder counts frames, \(((rate.value * 1000).rounded() / 1000).words) a second, and the input has a variable rate: "
          + "frames between two counts are moved to the nearest.")
    }
    if let order = first.fieldOrder { try addFieldWarnings(order, first, format: format) }
    if format == "yuv4mpegpipe", let advice = PipeAdvice.words(target.color, target.metadata) { notes.append(advice) }
  }

  private mutating func addFieldWarnings(_ order: FieldOrder, _ first: CodedFrame, format: String) throws {
    if geometry.orientation != .identity { throw CommandFailure(RenderingError.interlacedTurn) }
    if ![first.layout, writer.layout].allSatisfy({ $0.dividesIntoFields(height: first.size.height) }) {
      warnings.append(
        "The interlaced pictures are \(first.size.height) lines high, which do not divide into two fields: chroma of the "
          + "two mixes.")
    }
    let encoder =
      writer.encoder ?? Encoders.defaultEncoder(forFormat: format, layout: writer.layout, color: target.color)
    if let encoder, !Encoders.keepsFields(encoder) {
      warnings.append(
        "The pictures are interlaced, \(order.words), which \(encoder) cannot say: players will take them for "
          + "progressive. libx264, prores_ks and ffv1 can.")
    }
  }

  /// The asked-for layout, or one that the encoder takes: 4:2:0 of eight bits for SDR, of ten for HDR, where it can.
  private static func layout(_ coding: CodingOptions, format: String, color: ColorDescription) throws -> PixelLayout {
    if let layout = coding.layout { return layout }
    let usual = PixelLayout(.ycbcr420, bitDepth: color.transfer == .bt709 ? 8 : 10)
    let encoder = coding.encoder ?? Encoders.defaultEncoder(forFormat: format, layout: usual, color: color)
    return encoder.map { Encoders.layout(near: usual, for: $0) } ?? usual
  }

  /// What will be done, in one line.
  var summary: String {
    target.summary(from: source) + (geometry.words.map { "; \($0) to \(writer.size)" } ?? "")
  }
}
