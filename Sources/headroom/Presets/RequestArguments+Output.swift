internal import FFmpegIO
internal import Frames
internal import Media
internal import Sessions

extension RequestArguments {
  static let output: [RequestArgument] = [
    .option("-o", or: "--output", \.output), .option("-f", \.coding.format), .option("-c:v", \.coding.encoder),
    .option("--hw-device", \.coding.hardwareDevice).of(.videoEncoder),
    .option("--preset", \.coding.preset).of(.videoEncoder),
    .option("--crf", group: "quality", \.coding.crf).of(.videoEncoder),
    .option("--bitrate", group: "quality", \.coding.rate.average),
    .option("--max-bitrate", \.coding.rate.maximum).of(.videoEncoder),
    .option("--buffer-size", \.coding.rate.buffer).of(.videoEncoder),
    .flag("--two-pass", replacedBy: "--crf", \.coding.rate.isTwoPass).of(.videoEncoder),
    .option("--encoder-options", \.coding.encoderOptions) { OptionList.text($0) }.of(.videoEncoder),
    own(.x264, "-x264-params"), own(.x265, "-x265-params"), own(.svtAV1, "-svtav1-params"),
    .value("--muxer-options", \.coding.muxerOptions) { OptionList.text($0) },
    .option("--pixel-format", \.coding.layout, \.name),
    .option("--deinterlace", \.deinterlacing, \.rawValue),
    .option("--crop", \.crop) { crop in
      switch crop {
      case .automatic: "auto"
      case .centered(let size): "\(size.width):\(size.height)"
      case .area(let area): "\(area.width):\(area.height):\(area.x):\(area.y)"
      }
    },
    .option("--crop-limit", \.cropLimit), .option("--scale", \.scale) { "\($0.width.text)x\($0.height.text)" },
    .flag("--bake-rotation", \.bakesRotation),
    .option("--start", group: "selection", \.selection.start),
    .option("--duration", group: "selection", \.selection.duration),
    .option("--frames", group: "selection", \.selection.range) { range in
      "\(range.first)-" + (range.last.map(String.init) ?? "")
    },
    .flag("--copy-timestamps", \.copiesTimestamps), .option("--report", \.report), .flag("--overwrite", \.overwrites),
    .flag("--keep-partial-name", \.keepsPartialName),
  ]

  /// Options that only one encoder knows.
  private static func own(_ library: CodingRequest.OwnOptions.Library, _ name: String) -> RequestArgument {
    .option(name) {
      $0.coding.ownOptions.first { $0.library == library }?.options
    } _: {
      OptionList.text($0)
    }.of(.videoEncoder)
  }

  static let streams: [RequestArgument] = [
    .list("--map", or: "-map") { request in
      request.streams.map.map { entry in
        let specifier = entry.specifier.isEmpty ? "" : ":" + entry.specifier
        return (entry.isNegative ? "-0" : "0") + specifier + (entry.isOptional ? "?" : "")
      }
    },
    .option("-c:a", \.streams.audioEncoder), .option("--audio-fallback", \.streams.audioFallback),
    .option("--audio-bitrate", or: "-b:a", \.streams.audioBitRate).of(.lossyAudio),
    .option("--downmix", \.streams.downmix, \.rawValue).of(.encodedAudio), .option("-c:s", \.streams.subtitleEncoder),
    .option("--burn-subtitles", \.burnedSubtitles), .option("--subtitle-palette", \.subtitlePalette, \.rawValue),
  ]

  static let metadata: [RequestArgument] = [
    .option("--measured", group: "measurement", \.metadata.inputLight) { light in
      if case .file(let name) = light { name } else { nil }
    },
    .flag("--peak-detect", group: "measurement") { $0.metadata.inputLight == .measured },
    .option("--peak-percentile", group: "measurement", \.metadata.peakPercentile),
    .option("--master-display", \.metadata.masteringDisplay) { choice in
      switch choice {
      case .copied: "copy"
      case .value(let display): display.integerText
      }
    },
    .option("--max-cll", \.metadata.contentLight) { choice in
      switch choice {
      case .copied: "copy"
      case .measured: "measure"
      case .value(let light): light.text
      }
    },
    .value("--hdr10plus", \.copiesHDR10Plus) { $0 ? "copy" : "none" },
  ]
}

extension PictureScaling.Extent {
  fileprivate var text: String {
    switch self {
    case .samples(let count): "\(count)"
    case .ratio(let multiple): "-\(multiple)"
    }
  }
}
