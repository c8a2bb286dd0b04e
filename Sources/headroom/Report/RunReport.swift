internal import ArgumentParser
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Measurement
internal import Rendering
internal import StreamPipeline
internal import ToneMapping

/// What a transcode was and did, for `--report`.
struct RunReport {
  enum Status: String {
    case finished, interrupted, failed
  }

  var status: Status
  /// Why it failed.
  var error: String?
  var reader: any MediaInput
  var plan: TranscodePlan
  var options: TranscodeOptions
  /// FFmpeg's names of the container and encoder, bytes, and frames and packets whose times were moved.
  var written: (format: String, encoder: String, bytes: Int, moved: Int)
  var progress: StreamPipeline.Progress
  /// Wall-clock time in seconds.
  var seconds: Double
  /// The light of the frames that were rendered; nil where the video changed in the middle.
  var light: LightMeter.Result?
  /// The light of the frames that were coded, of an HDR10 output.
  var codedLight: CodedLightMeter.Result?
  /// The colours of those frames.
  var colors: ColorStatistics?
  /// What the output does not hold.
  var losses: [String]

  /// For a run that did not come as far as its first frame.
  static func failure(input: String, output: String, error: String) throws -> String {
    try JSON.text([
      "headroom": Headroom.configuration.version, "status": Status.failed.rawValue, "error": error, "frames": 0,
      "input": ["url": input], "output": ["url": output],
    ])
  }

  func json() throws -> String {
    let statistics = reader.statistics
    let object = JSON.fields([
      ("headroom", Headroom.configuration.version), ("status", status.rawValue), ("error", error),
      ("input", input), ("output", output), ("frames", progress.frames), ("seconds", rounded(seconds)),
      ("fps", rounded(Double(progress.frames) / max(seconds, 1e-6))),
      (
        "stage_seconds",
        [
          "read": rounded(progress.reading), "render": rounded(progress.rendering), "write": rounded(progress.writing),
        ]
      ), ("settings", settings),
      (
        "damage",
        [
          "decode_errors": statistics.decodeErrors, "damaged_frames": statistics.damagedFrames,
          "ends_early": statistics.endsEarly,
        ] as [String: Any]
      ), ("light", light.map(describe)),
      ("coded_light", codedLight.map { ["max_cll": rounded($0.peak), "max_fall": rounded($0.average)] }),
      ("colors", colors.map { JSON.fields(StatisticsReport.fields($0)) }),
      ("measured_before", plan.measured.map(describe)),
      ("warnings", plan.source.warnings + plan.warnings + losses), ("notes", plan.notes),
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
    let writer = plan.writer
    return JSON.fields([
      ("url", writer.url), ("format_name", written.format), ("encoder", written.encoder), ("size", written.bytes),
      ("width", writer.size.width), ("height", writer.size.height), ("pix_fmt", writer.layout.name),
      ("color", describe(writer.color)), ("metadata", describe(writer.metadata)),
      ("time_base", writer.timeBase.description), ("frame_rate", writer.frameRate?.description),
      ("moved_times", written.moved), ("streams", writer.streams.map(describe)),
      ("rotation", writer.displayMatrix.map { Int($0.rotation.rounded()) }),
      ("sample_aspect_ratio", writer.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" }),
    ])
  }

  private var settings: [String: Any] {
    let (mapping, output) = (plan.target.mapping, options.output)
    return JSON.fields([
      ("to", options.mapping.to.rawValue), ("tone_map", mapping.metadata == nil ? "none" : mapping.curve.name),
      ("dynamic_metadata", options.rendering.dynamicMetadata.rawValue), ("peak_nits", mapping.display.peak),
      ("sdr_white_nits", mapping.display.sdrWhite), ("reference_white_nits", mapping.referenceWhite),
      ("headroom", mapping.display.headroom), ("gamut", mapping.gamut.rawValue),
      ("filters", options.filters.texts), ("hlg_ootf", options.mapping.hlgOotf.rawValue),
      ("dither", options.rendering.dither),
      ("threads", options.rendering.processing.threadCount), ("kernels", options.rendering.processing.kernels.rawValue),
      ("preset", output.coding.preset), ("crf", output.coding.crf), ("encoder_options", output.coding.encoderOptions),
      ("start", plan.selection.start), ("duration", plan.selection.duration), ("geometry", plan.geometry.words),
    ])
  }

  /// Pixels above the peak that the curve was made for end at white; colours outside the output's gamut are brought
  /// into it.
  private func describe(_ light: LightMeter.Result) -> [String: Any] {
    let limit = plan.target.clipPoint
    return [
      "pixels": light.histogram.count, "max_cll": rounded(light.histogram.maximum),
      "average_nits": rounded(light.histogram.mean), "clip_nits": limit,
      "clipped_by_tone": light.histogram.count(above: limit), "clipped_by_gamut": light.outside,
    ]
  }

  private func describe(_ measured: ContentMeasurement) -> [String: Any] {
    ["max_cll": rounded(measured.maxCLL), "max_fall": rounded(measured.maxFALL), "nb_frames": measured.frames.count]
  }

  private func describe(_ stream: MediaWriter.OutputStream) -> String {
    switch stream {
    case .frames: "video"
    case .copy(let copy): copy.words + " copied"
    case .encoded(let copy, let encoder): copy.words + " as " + encoder
    }
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
