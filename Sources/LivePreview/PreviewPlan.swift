internal import Capture
internal import ColorScience
internal import FFmpegIO
internal import Filters
internal import Frames
internal import Media
internal import Preview
internal import Rendering
public import Sessions

/// How to show a device or a file, resolved before the first frame is rendered.
public struct PreviewPlan: Sendable, Hashable {
  /// The request.
  public let request: PreviewRequest
  /// How the input is interpreted.
  public let source: SourcePlan
  /// The initial render target.
  public let target: TargetPlan
  /// The recording, which starts at once if requested, otherwise on demand.
  public let recording: RecordingPlan
  /// Rotation of the picture.
  let geometry: GeometryPlan
  /// Format of the decoded frames.
  let decoded: PixelFormat
  /// The input format: "P010 1920x1080 at 59.94".
  let format: String
  /// The input signal: "pq bt2020 limited".
  let signal: String
  /// Nominal frames per second; nil: unknown.
  let rate: Rational?
  /// Frames arrive at the pace of a device.
  let isLive: Bool
  /// The frames to process, and the file time that becomes zero.
  let selection: SelectionPlan
  let notes: [Message]
  let warnings: [Message]

  init(_ request: PreviewRequest, _ reader: any MediaInput, first: CodedFrame) throws {
    let device = reader as? DeviceMedia
    if device != nil, request.selection.start != nil || request.selection.at != nil {
      throw Refusal.invalid(.deviceHasNoStart(request.input.name))
    }
    if device == nil, request.input.capture != CaptureRequest() {
      throw Refusal.invalid(
        "not-a-capture-device", "'\(request.input.name)' is no capture device: omit \(.capture).")
    }
    self.request = request
    isLive = device != nil
    decoded = first.format
    rate = reader.video.frameRate
    geometry = try GeometryPlan(reader.video, name: request.input.name, .upright)
    source = try SourcePlan(
      frame: first, survey: reader.survey(of: request.selection), name: reader.info.url,
      overrides: request.input.overrides, isStrict: request.input.isStrict,
      use: request.rendering.dynamicMetadataUse(for: request.shownMapping))
    let filters = try Filter.parsed(request.filters)
    target = try TargetPlan(source, request.shownMapping, filters: filters)
    selection =
      device == nil ? SelectionPlan(request.selection, first: first, reader) : SelectionPlan(request.selection)
    recording = try RecordingPlan(request, source, reader, first: first, geometry)
    let rate = rate.map { ", \($0.value.words(decimals: 2)) fps" } ?? ""
    signal = source.color.signal
    format =
      device.map { "\($0.setup.mode)" } ?? "\(first.size) \(reader.info.streams[reader.video.index].codecName)\(rate)"
    notes =
      (device.map { [$0.choice.message(of: $0)] } ?? []) + source.notes
      + target.notes + (request.recording == nil ? [] : recording.notes)
    warnings = source.warnings + target.warnings + (request.recording == nil ? [] : recording.warnings)
    if request.input.isStrict, let warning = warnings.first { throw Refusal.strict(warning) }
  }
}

extension PreviewRequest {
  /// The mapping to the output: native display pixels if a display was chosen, otherwise SDR, as for output devices.
  var shownMapping: MappingRequest {
    var mapping = mapping
    if mapping.chosenKind == nil {
      if case .device = screen { mapping.chosenKind = .sdr }
      mapping.chosenKind = mapping.chosenKind ?? (mapping.display == nil ? .sdr : .display)
    }
    return mapping
  }
}

extension ModeChoice {
  /// Describes the chosen device mode, and why it was chosen.
  fileprivate func message(of device: DeviceMedia) -> Message {
    let mode = "The mode of '\(device.info.url)' is \(device.setup.mode)"
    let others: MessageText = "Choose another with \(.captureFormat), \(.size) and \(.rate)."
    let text: MessageText
    switch reason {
    case .asked: text = "\(mode), as asked."
    case .kept: text = "\(mode), the format that it has. \(others)"
    case .widest:
      let fast = Self.names(narrower).map { "; \($0) would be as fast and no wider" } ?? ""
      let slow = Self.names(slower).map { "; \($0) would be wider and slower" } ?? ""
      text = "\(mode), the widest format at its full rate\(fast)\(slow). \(others)"
    }
    return Message("device-mode", text)
  }

  /// The formats of modes without duplicates; nil: none.
  private static func names(_ modes: [CaptureMode]) -> String? {
    let names: [String] = modes.reduce(into: []) { names, mode in
      if !names.contains(mode.format.code.text) { names.append(mode.format.code.text) }
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}

/// The recording of a preview.
public struct RecordingPlan: Sendable, Hashable {
  /// Light mapping of the recording.
  let mapping: MappingRequest
  /// The recorded signal.
  public let target: TargetPlan
  /// Container and encoder with their settings.
  public let video: VideoPlan
  let notes: [Message]
  let warnings: [Message]

  /// Default file name of a recording started during the preview.
  static let defaultName = "headroom-preview.mkv"
  /// Encoders with presets, and the fastest preset of each.
  private static let fastest = ["libx264": "ultrafast", "libx265": "ultrafast"]

  /// Records the input's code values unchanged; otherwise its light.
  let copiesCodes: Bool

  init(
    _ request: PreviewRequest, _ source: SourcePlan, _ reader: any MediaInput, first: CodedFrame,
    _ geometry: GeometryPlan
  ) throws {
    let asked = request.recording ?? RecordingRequest(Self.defaultName)
    var mapping = MappingRequest()
    mapping.chosenKind = asked.kind ?? OutputKind(of: source)
    if let kind = asked.kind { mapping = request.mapping.recorded(as: kind) }
    self.mapping = mapping
    var target = try TargetPlan(source, mapping)
    let format = try MediaWriter.formatName(url: asked.output, format: asked.coding.format)
    let size = geometry.orientation.rotated(first.size)
    let own = first.layout.read(by: source.color.matrix).planar
    copiesCodes =
      asked.kind == nil && size == first.size && geometry.orientation == .identity
      && asked.coding.takes(own, source.color, format: format) && size == size.coded(as: own)
    let layout = copiesCodes ? own : asked.layout(near: first.layout, format: format, color: target.color)
    target.code(as: layout, of: source)
    self.target = target
    let (color, metadata) = copiesCodes ? (source.color, source.metadata.still) : (target.color, target.metadata)
    var video = try VideoPlan(
      asked.output, asked.coding, format: format, layout: layout, color: color, size: size.coded(as: layout),
      like: reader.video, overwrites: request.overwrites)
    try asked.coding.rate.checkOnePass()
    var notes = video.notes
    if reader is DeviceMedia, video.preset == nil, let preset = video.encoder.flatMap({ Self.fastest[$0] }) {
      video.preset = preset
      notes.append(
        Message(
          "fastest-preset",
          "Recording with \(.preset, preset), so that the encoder keeps up; choose another if it does."))
    }
    video.metadata = metadata
    (video.sampleAspectRatio, video.fieldOrder) = (geometry.sampleAspectRatio, first.fieldOrder)
    if ContainerTraits.of(format).family == .y4m, [.pq, .hlg].contains(color.transfer) {
      notes.append(.untaggedY4M(color, metadata, layout))
    }
    if !copiesCodes, asked.kind == nil, geometry.orientation == .identity {
      notes.append(
        Message(
          "light-recorded",
          "\(video.encoder ?? format) does not take the input's samples as they are: the light is recorded, in a "
            + "form that it takes."))
    }
    func count(_ kind: StreamInfo.Kind) -> Int { reader.info.streams.count { $0.kind == kind } }
    let (audio, subtitles) = (count(.audio), count(.subtitle))
    warnings =
      (layout.bitDepth == 8 && color.transfer != .bt709 && !copiesCodes ? [.eightBitHDR] : [])
      + (audio + subtitles > 0 ? [Self.picturesOnly(audio: audio, subtitles: subtitles)] : [])
    (self.video, self.notes) = (video, notes + (copiesCodes ? [] : target.notes))
  }

  /// - Parameters:
  ///   - audio: Number of audio streams missing from the recording.
  ///   - subtitles: Number of subtitle streams missing from the recording.
  private static func picturesOnly(audio: Int, subtitles: Int) -> Message {
    let counts = [(audio, "audio stream"), (subtitles, "subtitle stream")].filter { $0.0 > 0 }
    let streams = counts.map { $0.counting($1) }.joined(separator: " and ")
    return Message(
      "recording-of-pictures-only",
      "The recording has pictures only, without the input's \(streams): `headroom transcode` keeps them.")
  }
}

extension RecordingRequest {
  /// Returns the requested layout, or one that the encoder supports. R'G'B' keeps its chroma resolution.
  fileprivate func layout(near source: PixelLayout, format: String, color: ColorDescription) -> PixelLayout {
    guard source.components == .rgb, kind == nil, coding.layout == nil else {
      return VideoPlan.layout(coding, format: format, color: color)
    }
    let preferred = PixelLayout(.ycbcr444, bitDepth: PixelLayout.common(for: color).bitDepth)
    let encoder = coding.encoder(forFormat: format, layout: preferred, color: color)
    return encoder.map { Encoders.layout(near: preferred, for: $0) } ?? preferred
  }
}

extension ColorDescription {
  /// "pq bt2020 limited".
  var signal: String { "\(transfer) \(primaries) \(range.words)" }
}

extension HDRMetadata {
  /// Static metadata only.
  fileprivate var still: HDRMetadata { HDRMetadata(masteringDisplay: masteringDisplay, contentLight: contentLight) }
}

extension OutputKind {
  /// The output kind that preserves the light of a source.
  init(of source: SourcePlan) {
    self =
      switch source.color.transfer {
      case .pq, .linear: .hdr10
      case .hlg: .hlg
      default: .sdr
      }
  }
}

extension MappingRequest {
  /// Returns the same mapping for an output kind, without a display.
  fileprivate func recorded(as kind: OutputKind) -> MappingRequest {
    var mapping = self
    (mapping.chosenKind, mapping.display, mapping.displaySource) = (kind, nil, nil)
    if kind == .sdr { mapping.headroom = nil }
    return mapping
  }
}

extension Size {
  /// Returns the size without the last column or row if the layout requires even dimensions.
  fileprivate func coded(as layout: PixelLayout) -> Size {
    Size(
      width: max((width >> layout.chromaShiftX) << layout.chromaShiftX, 1 << layout.chromaShiftX),
      height: max((height >> layout.chromaShiftY) << layout.chromaShiftY, 1 << layout.chromaShiftY))
  }
}

extension PreviewPlan {
  /// One-line summary of the plan.
  public var summary: String { "'\(request.input.name)': \(format), \(target.summary(from: source))" }
}

extension PreviewPlan {
  /// Description of the plan, line by line.
  public var lines: [String] {
    let screen =
      switch request.screen.resolved {
      case .window, .automatic: "a window"
      case .terminal: "the terminal"
      case .none: "nothing: frames are rendered and discarded"
      case .device(let path): "'\(path)'"
      }
    return ["show '\(request.input.name)'"]
      + PlanLines.table([
        ("input", format), ("decoded", decoded.words), ("interpreted as", source.color.words),
        ("mapping", target.summary(from: source)),
        ("filters", request.filters.isEmpty ? nil : request.filters.joined(separator: ", ")),
        ("geometry", geometry.steps), ("shown on", screen),
        ("recording", request.recording.map { PlanLines.output($0.output, request.overwrites) }),
      ]) + (request.recording == nil ? [] : recording.video.lines) + PlanLines.table([("report", request.report)])
  }
}
