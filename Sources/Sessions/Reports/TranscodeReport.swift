internal import ColorScience
internal import Displays
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Measurement
internal import Media
internal import Rendering
internal import StreamPipeline
internal import ToneMapping

/// The JSON report of a transcode.
struct TranscodeReport {
  let plan: TranscodePlan
  let reader: any MediaInput
  let writer: MediaWriter
  let wording: Wording
  /// Why it failed.
  var error: (any Error)?
  var isCancelled = false
  var pipeline = StreamPipeline.Progress()
  /// Wall-clock time in seconds.
  var seconds = 0.0
  /// The light of the rendered frames; nil if the video changed mid-stream.
  var light: LightLevelAnalyzer.Result?
  /// The light of the coded frames of an HDR10 output.
  var codedLight: CodedLightAnalyzer.Result?
  /// Number of samples compared with the input's, and number that differ; nil: the light is mapped.
  var codes: (compared: Int, changed: Int)?
  /// Colour statistics of those frames.
  var colors: ColorStatistics?
  /// Losses of the output.
  var losses: [String] = []
  /// Name of a partial output; nil if it has its final name.
  var partialName: String?

  init(_ plan: TranscodePlan, _ reader: any MediaInput, _ writer: MediaWriter, _ wording: Wording) {
    (self.plan, self.reader, self.writer, self.wording) = (plan, reader, writer, wording)
  }

  /// Writes the report, if requested, for a request that failed or was cancelled before its first frame.
  static func write(_ error: any Error, of request: TranscodeRequest, by session: Session) throws {
    let isCancelled = error is Session.Cancellation
    let text = try JSON.text(
      JSON.fields([
        ("headroom", Program.version), ("status", isCancelled ? "interrupted" : "failed"),
        ("error", isCancelled ? nil : session.wording.error(error)), ("frames", 0),
        ("input", ["url": request.input.name]),
        ("output", ["url": request.url]),
      ]))
    guard let name = request.report else { return }
    try session.write(report: text + "\n", to: name == "-" ? nil : OutputFile(name, replaces: request.overwrites))
  }

  /// Writes the report, if requested.
  /// - Parameter file: nil: standard output.
  func write(to file: OutputFile?, by session: Session) throws {
    guard plan.request.report != nil else { return }
    try session.write(report: json() + "\n", to: file)
  }

  private var status: String { error != nil ? "failed" : isCancelled ? "interrupted" : "finished" }

  private func json() throws -> String {
    let statistics = reader.statistics
    let object = JSON.fields([
      ("headroom", Program.version), ("status", status), ("error", error.map(wording.error)),
      ("input", input), ("output", output), ("frames", pipeline.frames), ("seconds", rounded(seconds)),
      ("fps", rounded(Double(pipeline.frames) / max(seconds, 1e-6))),
      (
        "stage_seconds",
        [
          "read": rounded(pipeline.reading), "render": rounded(pipeline.rendering), "write": rounded(pipeline.writing),
        ]
      ), ("settings", settings), ("options", options),
      (
        "damage",
        [
          "decode_errors": statistics.decodeErrors, "damaged_frames": statistics.damagedFrames,
          "ends_early": statistics.endsEarly,
        ] as [String: Any]
      ), ("light", light.map(describe)),
      ("coded_light", codedLight.map { ["max_cll": rounded($0.peak), "max_fall": rounded($0.average)] }),
      (
        "code_values",
        plan.codeValues.map { said in
          JSON.fields([("planned", said), ("samples", codes?.compared), ("changed", codes?.changed)])
        }
      ),
      ("colors", colors.map { JSON.fields(StatisticsFile.fields($0)) }),
      ("measured_before", plan.measured.map(describe)),
      ("warnings", (plan.source.warnings + plan.warnings).map(wording.text) + losses),
      ("notes", plan.notes.map(wording.text)),
    ])
    return try JSON.text(object)
  }

  private var input: [String: Any] {
    let source = plan.source
    let edr = source.interpretation.metadata
    return JSON.fields([
      ("url", reader.info.url), ("format_name", reader.info.formatName), ("video_stream", reader.video.index),
      ("width", reader.video.size.width), ("height", reader.video.size.height),
      ("pix_fmt", reader.video.pixelFormatName), ("color", describe(source.color)),
      ("metadata", describe(source.metadata)), ("content_peak_nits", plan.target.mapping.contentPeak),
      ("content_black_nits", edr?.contentBlack), ("duration", reader.info.duration),
    ])
  }

  private var output: [String: Any] {
    let video = plan.video
    return JSON.fields([
      ("url", partialName ?? video.url), ("format_name", writer.formatName), ("encoder", writer.encoderName),
      ("encoding", video.encoding),
      ("size", writer.bytesWritten),
      ("width", video.size.width), ("height", video.size.height), ("pix_fmt", video.layout.name),
      ("color", describe(video.color)), ("metadata", describe(video.metadata)),
      ("hdr10_plus", video.copiesHDR10Plus ? "copied" : nil), ("time_base", video.timeBase.description),
      ("frame_rate", video.frameRate?.description),
      ("moved_times", writer.movedFrames), ("streams", plan.streams.streams.map(\.words)),
      ("rotation", video.displayMatrix.map { Int($0.rotation.rounded()) }),
      ("sample_aspect_ratio", video.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" }),
    ])
  }

  /// The options that the request states, as each program spells and writes them.
  private var options: [String: Any] {
    let stated = TranscodeOptions.options.filter { $0.isSet(in: plan.request) }
    let pairs = stated.map { option -> (String, Any) in
      let texts = option.texts(plan.request)
      return (wording.parameter(option.parameter, nil), texts.count == 1 ? texts[0] : texts)
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private var settings: [String: Any] {
    let (mapping, request, video) = (plan.target.mapping, plan.request, plan.video)
    return JSON.fields(
      plan.target.mappingFields(for: plan.source) + [
        ("to", request.mapping.kind.rawValue),
        ("dynamic_metadata", request.rendering.usesDynamicMetadata ? "use" : "ignore"),
        ("peak_nits", mapping.display.peak), ("sdr_white_nits", mapping.display.sdrWhite),
        ("reference_white_nits", mapping.referenceWhite), ("headroom", mapping.display.headroom),
        ("black_nits", mapping.display.black), ("surround_nits", mapping.display.surround),
        ("display", request.mapping.display.map { describe($0) }), ("exposure_stops", mapping.exposure),
        ("inverse_tone_map", mapping.isExpanded),
        ("filters", request.filters), ("hlg_ootf", request.mapping.hlgOOTF.rawValue),
        ("dither", request.rendering.dithers), ("threads", request.processing.threadCount),
        ("kernels", request.processing.kernels.rawValue), ("preset", request.coding.preset),
        ("crf", request.coding.crf),
        ("bitrate", video.rate.average), ("max_bitrate", video.rate.maximum), ("buffer_size", video.rate.buffer),
        ("two_pass", video.rate.isTwoPass), ("encoder_options", CodingRequest.Option.text(video.encoderOptions)),
        ("muxer_options", CodingRequest.Option.text(video.muxerOptions)),
        ("start", request.selection.start), ("duration", request.selection.duration), ("geometry", plan.geometry.steps),
        ("burned_subtitles", plan.subtitles?.words(on: plan.renderTarget)),
      ])
  }

  private func describe(_ display: DisplayStatus) -> [String: Any] {
    let format = plan.request.mapping.isReference ? plan.source.referenceFormat : nil
    return JSON.fields([
      ("name", display.model.name), ("current_headroom", display.currentHeadroom),
      ("potential_headroom", display.potentialHeadroom), ("reference_mode", plan.target.referenceMode?.rawValue),
      ("reference_format", format?.name), ("viewing_environment", format?.surround.rawValue),
    ])
  }

  /// Returns the fields of the measured light. Pixels above the peak of the curve become white; colours outside the
  /// output's gamut are mapped into it.
  private func describe(_ light: LightLevelAnalyzer.Result) -> [String: Any] {
    let limit = plan.target.clipPoint
    return [
      "pixels": light.histogram.count, "max_cll": rounded(light.histogram.maximum),
      "average_nits": rounded(light.histogram.mean), "clip_nits": limit,
      "clipped_by_tone": light.histogram.count(above: limit), "clipped_by_gamut": light.outside,
    ]
  }

  private func describe(_ measured: MeasuredLight) -> [String: Any] {
    ["max_cll": rounded(measured.maxCLL), "max_fall": rounded(measured.maxFALL), "nb_frames": measured.frameCount]
  }

  private func describe(_ color: ColorDescription) -> [String: String] {
    [
      "color_primaries": "\(color.primaries)", "color_transfer": "\(color.transfer)", "color_space": "\(color.matrix)",
      "color_range": "\(color.range)", "chroma_location": "\(color.chromaLocation)",
    ]
  }

  private func describe(_ metadata: HDRMetadata) -> [String: String] {
    var result: [String: String] = [:]
    result["master_display"] = metadata.masteringDisplay?.integerText
    result["max_cll"] = metadata.contentLight?.text
    return result
  }

  private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
