internal import Frames
internal import Media

/// The container and the encoder of a video output.
public enum CodingOptions: OptionTable {
  public static let options: [RequestOption<CodingRequest>] = [
    RequestOption(
      .format, \.format, .text("format"),
      "Container, by its ffmpeg name (mp4, mov, matroska, nut, yuv4mpegpipe, null, framemd5, ...)."),
    RequestOption(
      .encoder, \.encoder, .text("encoder"),
      "Video encoder, by its ffmpeg name, or hevc, h264, av1, vp9, x265, ..."),
    RequestOption(
      .hardwareDevice, \.hardwareDevice, .text("path"),
      "Device of a hardware encoder, such as /dev/dri/renderD129. headroom doctor lists encoders.",
      default: "the first",
      ofVideo),
    RequestOption(.preset, \.preset, .text("name"), "The encoder's preset.", ofVideo),
    RequestOption(
      .crf, \.crf, .number("q"),
      "Constant quality, on the encoder's scale.", ofVideo, alternatives: [.bitrate]),
    RequestOption(
      .bitrate, \.rate.average, .bits("rate", unit: "bit/s"),
      "Average bit rate instead of constant quality: 8M, 4500k, or bit/s.", [.isForVideo, .isForWholeFilm],
      alternatives: [.crf]),
    RequestOption(
      .maxBitrate, \.rate.maximum, .bits("rate", unit: "bit/s"),
      "Maximum bit rate, beside \(.bitrate) or, with x264, x265 and SVT-AV1, \(.crf).", [ofVideo, .isForWholeFilm]),
    RequestOption(
      .bufferSize, \.rate.buffer, .bits("size", unit: "bit"),
      "Size in bits of the decoder's buffer that \(.maxBitrate) fills.", default: "one second of it",
      [ofVideo, .isForWholeFilm], needs: [.maxBitrate]),
    RequestOption(
      flag: .twoPass, \.rate.isTwoPass,
      "With \(.bitrate): encode everything twice, so that bits go where they are needed (x264, x265, ...).",
      [ofVideo, .isForWholeFilm], alternatives: [.crf]),
    RequestOption(
      .encoderOptions, \.encoderOptions, .options,
      "Further encoder options, by the encoder's own names (x264: keyint, x265: aq-mode, ...).", ofVideo),
    RequestOption(
      .x264Params, \.[own: .x264], .options, "Options of x264, as for ffmpeg; an error with another encoder.", ofVideo),
    RequestOption(
      .x265Params, \.[own: .x265], .options, "Options of x265, as for ffmpeg; an error with another encoder.", ofVideo),
    RequestOption(
      .svtav1Params, \.[own: .svtAV1], .options, "Options of SVT-AV1, as for ffmpeg; an error with another encoder.",
      ofVideo),
    RequestOption(
      .muxerOptions, \.muxerOptions, .options,
      "Options of the container, by their ffmpeg names (mp4: movflags, matroska: reserve_index_space, ...).",
      default: "none", .isForVideo),
    RequestOption(.pixelFormat, \.layout, .pixelFormat, "Pixel format, by its ffmpeg name.", .isForVideo),
  ]

  private static let ofVideo: OptionEffects = [.isForVideo, .isForVideoEncoder]
}

extension CodingRequest {
  /// Options of a specific encoder; nil: none.
  fileprivate subscript(own library: OwnOptions.Library) -> [Option]? {
    get { ownOptions.first { $0.library == library }?.options }
    set {
      ownOptions.removeAll { $0.library == library }
      if let newValue { ownOptions.append(OwnOptions(library, newValue)) }
    }
  }
}

extension OptionValue where Value == Int {
  /// A bit rate or a number of bits with ffmpeg's syntax: "8M", "4500k", "4.5M", "4500000"; "8Mi" counts in 1024.
  static func bits(_ placeholder: String, _ range: ClosedRange<Int> = RateControl.allowed, unit: String) -> OptionValue
  {
    let count = OptionValue.count(range, placeholder, unit: unit)
    return OptionValue(
      placeholder, expected: "a number such as 8M, 4500k or 4500000", parse: { bits($0[...]) }, text: count.text,
      check: count.check)
  }

  private static func bits(_ text: Substring) -> Int? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), let unit = unit(text.dropFirst(digits.count)) else { return nil }
    let bits = (number * unit).rounded()
    return bits >= 1 && bits < 1e15 ? Int(bits) : nil
  }

  private static func unit(_ suffix: Substring) -> Double? {
    switch suffix {
    case "": 1
    case "k", "K": 1e3
    case "M": 1e6
    case "G": 1e9
    case "ki", "Ki": 0x1p10
    case "Mi": 0x1p20
    case "Gi": 0x1p30
    default: nil
    }
  }
}

extension OptionValue where Value == PixelLayout {
  fileprivate static var pixelFormat: OptionValue {
    let names = PixelLayout.outputs.map(\.name)
    return OptionValue(
      "name", choices: names, expected: "one of " + names.joined(separator: ", "), parse: PixelLayout.init(name:),
      text: { $0.name ?? "\($0)" },
      check: { _, layout throws(Refusal) in if layout.name == nil { throw .invalid(.noPixelFormat(layout)) } })
  }
}
