internal import ColorScience
internal import FFmpegIO
internal import Filters
internal import Frames
internal import Media
internal import Rendering

/// Everything that a transcode does, resolved against its input before the first frame is rendered. Decoded in another
/// process, with the same input and kernels, it renders the same frames.
public struct TranscodePlan: Sendable, Hashable, Codable {
  /// The request.
  public let request: TranscodeRequest
  /// Index of the decoded stream.
  public let videoIndex: Int
  /// What frames are decoded to.
  let decoded: PixelFormat
  /// FFmpeg's name of what the decoder delivers, where that is converted to `decoded`; nil: it is not.
  let decodedFormat: String?
  let inputChecksum: String
  /// How the input is interpreted.
  public internal(set) var source: SourcePlan
  /// What the output is.
  public internal(set) var target: TargetPlan
  /// How the picture is scaled and rotated.
  public let geometry: GeometryPlan
  /// The light of the selected frames, if it was measured.
  public let measured: MeasuredLight?
  /// Subtitles that are drawn into the picture.
  public internal(set) var subtitles: SubtitlePlan?
  /// The streams of the output, and what happens to each.
  public let streams: StreamPlan
  /// The frames that are processed, and the input time that becomes zero in the output.
  public internal(set) var selection: SelectionPlan
  /// The container and the encoder, with their settings.
  public internal(set) var video: VideoPlan
  /// What is worth knowing, reported once.
  public internal(set) var notes: [Diagnostic]
  /// What the output cannot hold or will show badly.
  public internal(set) var warnings: [Diagnostic] = []

  /// - Parameters:
  ///   - format: FFmpeg's name of the container.
  ///   - survey: What the input states later.
  /// - Throws: `Refusal`, or the error of a library, for what cannot be written.
  init(
    _ request: TranscodeRequest, format: String, reader: any MediaInput, first: CodedFrame, survey: StreamSurvey,
    streams: StreamPlan, subtitles burned: SubtitleStream?, geometry: GeometryPlan, measured: MeasuredLight?
  ) throws {
    if request.mapping.kind == .display { throw Refusal.invalid(.mapping(.displayIsNoVideo)) }
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
    source.isCropped = geometry.crop != nil
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
    // An edit list hides pictures before zero, which is intended only if the source does so too.
    selection = SelectionPlan(
      request.selection, first: first, reader, passed: streams.passed, copies: request.copiesTimestamps,
      hidesNegative: !reader.info.formatName.contains("mp4") && MediaWriter.hidesNegativeTimes(format))
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
    if geometry.displayMatrix != nil, filters.contains(where: \.drawsPanel) { warnings.append(.output(.rotatesPanels)) }
    if request.input.isStrict, let warning = warnings.first { throw Refusal.strict(warning) }
  }

  /// States the measured light of what will be coded.
  mutating func state(_ light: ContentLight) {
    target.metadata.contentLight = light
    mendMasteringDisplay()
    notes = notes.map { note in
      if case .output(.isUntagged) = note {
        .output(.isUntagged(target.color, target.metadata, video.layout))
      } else {
        note
      }
    }
    video.metadata = target.metadata
  }

  /// Light that was measured shows that the stated mastering display is not the film's.
  private mutating func mendMasteringDisplay() {
    guard request.metadata.masteringDisplay == nil, let display = target.metadata.masteringDisplay,
      let light = target.metadata.contentLight, Double(light.maxCLL) > display.maxNits
    else { return }
    target.metadata.masteringDisplay?.maxLuminance = UInt32(light.maxCLL) * UInt32(MasteringDisplay.luminanceUnits)
    notes.append(.mapping(.raisesMasteringDisplay(from: display.maxNits, to: Double(light.maxCLL))))
  }

  /// What frames are rendered to.
  var renderTarget: RenderTarget { renderTarget(target) }

  /// The same for another target, if the stream changes.
  func renderTarget(_ target: TargetPlan) -> RenderTarget {
    var result = RenderTarget(
      target, video.pixelFormat, picture: geometry.orientation.rotated(decoded.size),
      orientation: geometry.orientation, dithers: request.rendering.dithers, limit: self.target.limit ?? target.limit)
    let stated = self.target.metadata.contentLight?.maxCLL ?? 0
    // What is measured is stated as it is.
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

  /// The timecode is that of the input's first frame, which a selection may skip.
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

  /// Warns about what the user may not expect of this output.
  private mutating func remark(_ first: CodedFrame, _ input: VideoStreamInfo, format: String) throws {
    if let encoder = video.encoder {
      try MediaWriter.check(encoder: encoder, url: request.url, format: format)
      if let rate = video.assumedBitRate { warnings.append(.coding(.assumesBitRate(rate, encoder: encoder))) }
      let expected = PixelLayout.common(for: target.color)
      if target.keepsCoding, request.coding.layout == nil,
        video.layout.components != expected.components || video.layout.bitDepth > 10,
        Encoders.rateAbility(encoder)?.crf != nil
      {
        notes.append(.coding(.keepsLayout(video.layout, expected: expected)))
      }
      if let hardware = HardwareEncoder(encoder), !hardware.writesMetadata,
        video.metadata.masteringDisplay != nil || video.metadata.contentLight != nil
      {
        warnings.append(.output(.onlyContainerHasMetadata(encoder: encoder)))
      }
    }
    if video.layout.bitDepth == 8, source.layout.bitDepth > 8, target.color.transfer != .bt709 {
      warnings.append(.output(.eightBitsOfHDR))
    }
    if !video.chapters.isEmpty, MediaWriter.losesChapters(format) {
      warnings.append(.output(.hasNoChapters(format: format, count: video.chapters.count)))
      video.chapters = []
    }
    let lost = MediaWriter.lostTags(video.tags, in: format)
    if !lost.isEmpty { warnings.append(.output(.hasNoPlaceForTags(format: format, lost))) }
    let late = first.time.seconds - selection.originSeconds(first: first, rate: nil)
    if !selection.beginsWithFrame, late > 1, format != "null" {
      notes.append(.output(.firstPictureIsLate(seconds: late)))
    }
    let keepsTimes = try MediaWriter.keepsTimes(url: request.url, format: format)
    if input.hasVariableRate {
      if format != "null", !keepsTimes { warnings.append(.output(.losesTimes(format: format))) }
      if keepsTimes, let rate = video.frameRate, video.timeBase == Rational(rate.denominator, rate.numerator) {
        warnings.append(.output(.countsFrames(rate: rate.value)))
      }
    }
    if let order = first.fieldOrder { try addFieldWarnings(order, first) }
    if format == "yuv4mpegpipe", [.pq, .hlg].contains(target.color.transfer) {
      notes.append(.output(.isUntagged(target.color, target.metadata, video.layout)))
    }
  }

  private mutating func addFieldWarnings(_ order: FieldOrder, _ first: CodedFrame) throws {
    if geometry.orientation != .identity { throw RenderingError.interlacedTurn }
    if ![first.layout, video.layout].allSatisfy({ $0.dividesIntoFields(height: first.size.height) }) {
      warnings.append(.output(.fieldsMix(height: first.size.height)))
    }
    if let encoder = video.encoder, !Encoders.keepsFields(encoder) {
      warnings.append(.output(.cannotSignalFields(order, encoder: encoder)))
    }
  }
}

extension TargetPlan {
  /// The output of a transcode, by its own mapping and filters or others.
  /// - Throws: `Refusal` for metadata that is impossible.
  init(
    _ source: SourcePlan, _ request: TranscodeRequest, _ mapping: MappingRequest? = nil, filters: [Filter]
  ) throws(Refusal) {
    try self.init(
      source, mapping ?? request.mapping, asked: request.metadata, filters: filters,
      graphics: request.burnedSubtitles.map { _ in request.mapping.referenceWhite ?? SubtitlePlan.graphicsWhite })
  }
}

extension TranscodeRequest {
  /// - Throws: `FilterFailure`.
  func parsedFilters() throws -> [Filter] { try Filter.parsed(filters) }
}

extension Filter {
  /// Filters from their textual form, in order.
  static func parsed(_ texts: [String]) throws -> [Filter] {
    let filters = try texts.map { try Filter($0) }
    try Filter.check(filters)
    return filters
  }
}
