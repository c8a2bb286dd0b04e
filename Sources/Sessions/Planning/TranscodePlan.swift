internal import ColorScience
internal import FFmpegIO
package import Filters
package import Frames
internal import Media
internal import Rendering

/// A complete transcode, resolved against its input before the first frame is rendered. Decoded in another process,
/// with the same input and kernels, it renders the same frames.
public struct TranscodePlan: Sendable, Hashable, Codable {
  /// The request.
  public let request: TranscodeRequest
  /// Index of the decoded stream.
  public let videoIndex: Int
  /// Format of the decoded frames.
  package let decoded: PixelFormat
  /// FFmpeg's name of the decoder's format, if that is converted to `decoded`; nil: not converted.
  let decodedFormat: String?
  package let inputChecksum: String
  /// How the input is interpreted.
  public package(set) var source: SourcePlan
  /// The output.
  public internal(set) var target: TargetPlan
  /// Scaling and rotation of the picture.
  public let geometry: GeometryPlan
  /// The light of the selected frames, if it was measured.
  public let measured: MeasuredLight?
  /// Subtitles to burn into the picture.
  public internal(set) var subtitles: SubtitlePlan?
  /// The streams of the output, and what happens to each.
  public let streams: StreamPlan
  /// The frames to process, and the input time that becomes zero in the output.
  public internal(set) var selection: SelectionPlan
  /// The container and the encoder, with their settings.
  public internal(set) var video: VideoPlan
  /// Notes, reported once.
  public internal(set) var notes: [Message]
  /// Losses and playback problems of the output.
  public internal(set) var warnings: [Message] = []

  /// - Parameters:
  ///   - format: FFmpeg's name of the container.
  ///   - survey: Metadata that the input states later.
  /// - Throws: `Refusal`, or the error of a library, for outputs that cannot be written.
  init(
    _ request: TranscodeRequest, format: String, reader: any MediaInput, first: CodedFrame, survey: StreamSurvey,
    streams: StreamPlan, subtitles burned: SubtitleStream?, geometry: GeometryPlan, measured: MeasuredLight?
  ) throws {
    if request.mapping.kind == .display {
      throw Refusal.invalid(
        "display-pixels-as-video",
        "\(.outputKind, "display") makes pixels that no video format describes: write pictures (PNG, TIFF, bgr10a2), "
          + "or choose \(.outputKind, "hdr10") or sdr.")
    }
    let filters = try request.parsedFilters()
    self.request = request
    self.streams = streams
    self.geometry = geometry
    self.measured = measured
    videoIndex = reader.video.index
    (decoded, decodedFormat) = (first.format, reader.video.convertedFormatName)
    inputChecksum = try Checksum.of(reader, first)
    source = try SourcePlan(
      frame: first, survey: survey, name: reader.info.url, overrides: request.input.overrides,
      isStrict: request.input.isStrict,
      use: request.dynamicMetadataUse, measured: measured)
    source.isCropped = geometry.changesAverages
    // Either it is copied, or the request is rejected.
    if request.copiesHDR10Plus { source.unusedMetadata.removeAll { $0 == .hdr10Plus } }
    target = try TargetPlan(source, request, filters: filters)
    if let following = request.following, let display = request.mapping.display {
      let source = source
      target.state(
        as: try following.extremes(of: display).map {
          try TargetPlan(source, request, request.mapping.on($0), filters: filters)
        })
    }
    notes = source.notes + geometry.notes(reader) + target.notes + streams.notes
    warnings = streams.warnings + target.warnings
    let layout = VideoPlan.layout(
      request.coding, format: format, color: target.color, keeping: target.keepsCoding ? source : nil)
    target.code(as: layout, of: source)
    // An edit list hides pictures before zero, which is intended only if the source hides them too.
    selection = SelectionPlan(
      request.selection, first: first, reader, passed: streams.passed, copies: request.copiesTimestamps,
      hidesNegative: MediaWriter.hidesNegativeTimes(format) && !MediaWriter.hidesNegativeTimes(reader.info.formatName))
    video = try VideoPlan(
      request.url, request.coding, format: format, layout: layout, color: target.color,
      size: Filter.frameSize(filters, picture: geometry.orientation.rotated(first.size)), like: reader.video,
      overwrites: request.overwrites)
    notes += video.notes
    if let burned {
      let size = renderTarget.pictureSize
      let plan = try SubtitlePlan(
        burned, request, geometry, of: source.color.transfer, pictureSize: size, reader: reader)
      subtitles = plan
      notes += plan.notes(for: renderTarget, request.input.name, reader.info)
    }
    describe(first, reader)
    try remark(first, reader.video, format: format)
    try decideOnHDR10Plus(first)
    decideOnCaptions(survey.hasCaptions || !first.captions.isEmpty)
    if geometry.displayMatrix != nil, filters.contains(where: \.drawsPanel) {
      warn(
        "filters-rotated-by-players",
        "Players will rotate this picture, including what filters draw: \(.bakeRotation) rotates the pixels first.")
    }
    if request.input.isStrict, let warning = warnings.first { throw Refusal.strict(warning) }
  }

  /// States the measured light of the coded frames.
  mutating func state(_ light: ContentLight) {
    target.metadata.contentLight = light
    mendMasteringDisplay()
    notes = notes.map { note in
      note.code == "y4m-untagged" ? .untaggedY4M(target.color, target.metadata, video.layout) : note
    }
    video.metadata = target.metadata
  }

  /// Raises the peak of the mastering display if measured light exceeds it.
  private mutating func mendMasteringDisplay() {
    guard request.metadata.masteringDisplay == nil, let display = target.metadata.masteringDisplay,
      let light = target.metadata.contentLight, Double(light.maxCLL) > display.maxNits
    else { return }
    target.metadata.masteringDisplay?.maxLuminance = UInt32(light.maxCLL) * UInt32(MasteringDisplay.luminanceUnits)
    notes.append(
      Message(
        "mastering-display-raised",
        "The measured light exceeds the mastering display of \(display.maxNits.words) cd/m²: a peak of "
          + "\(light.maxCLL) cd/m² is stated. \(.masteringDisplay, "copy") keeps the input's."))
  }

  /// The target of rendered frames.
  var renderTarget: RenderTarget { renderTarget(target) }

  /// Returns the render target for another target plan, if the stream changes.
  func renderTarget(_ target: TargetPlan) -> RenderTarget {
    var result = RenderTarget(
      target, video.pixelFormat, picture: geometry.orientation.rotated(decoded.size),
      orientation: geometry.orientation, dithers: request.rendering.dithers, limit: self.target.limit ?? target.limit)
    let stated = self.target.metadata.contentLight?.maxCLL ?? 0
    // Measured values are stated unchanged.
    if subtitles != nil, stated > 0, !request.metadata.measuresOutput { result.graphicsLimit = Double(stated) }
    return result
  }

  /// Completes the writer's settings.
  private mutating func describe(_ first: CodedFrame, _ reader: any MediaInput) {
    video.metadata = target.metadata
    video.insistsOnMetadata = target.insistsOnMetadata
    video.sampleAspectRatio = geometry.sampleAspectRatio
    video.displayMatrix = geometry.displayMatrix
    video.projection = reader.video.projection
    video.fieldOrder = first.fieldOrder
    video.videoTags = streams.videoTags
    video.videoDispositions = streams.videoDispositions
    video.tags = streams.tags
    moveTimecode(first, reader)
    let rate = video.frameRate?.value
    let begin = selection.originSeconds(first: first, rate: rate)
    let end = selection.selection.length(rate: rate).map { begin + $0 }
    video.chapters = reader.info.chapters.compactMap { $0.inside(begin: begin, end: end) }
    video.beginsAtZero = selection.movesTimes || first.time.presentation >= 0
  }

  /// Moves the timecode: it belongs to the input's first frame, which a selection may skip.
  private mutating func moveTimecode(_ first: CodedFrame, _ reader: any MediaInput) {
    guard let rate = video.frameRate else { return }
    let skipped = (first.time.seconds - (reader.info.startTime ?? 0)) * rate.value
    let frames = Int(min(max(skipped.rounded(), 0), 1e9)) + (selection.selection.range?.first ?? 0)
    let fields = geometry.deinterlacing?.framesPerPicture ?? 1
    guard frames > 0 || fields > 1 else { return }
    func moved(_ tags: inout [String: String]) {
      tags["timecode"] = tags["timecode"].flatMap {
        Timecode.moved($0, by: frames, rate: rate, framesPerPicture: fields)
      }
    }
    moved(&video.videoTags)
    moved(&video.tags)
  }
}

extension TargetPlan {
  /// The output of a transcode, with its own mapping and filters or others.
  /// - Throws: `Refusal` for impossible metadata.
  init(
    _ source: SourcePlan, _ request: TranscodeRequest, _ mapping: MappingRequest? = nil, filters: [Filter]
  ) throws(Refusal) {
    try self.init(
      source, mapping ?? request.mapping, asked: request.metadata, filters: filters,
      graphics: [
        request.burnedSubtitles.map { _ in request.mapping.referenceWhite ?? SubtitlePlan.graphicsWhite },
        request.geometry.borderLight,
      ].compactMap(\.self).max())
  }
}

extension TranscodeRequest {
  /// - Throws: `FilterFailure`.
  func parsedFilters() throws -> [Filter] { try Filter.parsed(filters) }
}

extension Filter {
  /// Filters from their textual form, in order.
  package static func parsed(_ texts: [String]) throws -> [Filter] {
    let filters = try texts.map { try Filter($0) }
    try Filter.check(filters)
    return filters
  }
}
