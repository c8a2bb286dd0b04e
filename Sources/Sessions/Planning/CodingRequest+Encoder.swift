internal import FFmpegIO
package import Frames
internal import Media

extension CodingRequest {
  /// FFmpeg's name of the requested encoder; nil: the container's default.
  package var namedEncoder: String? { encoder.map(Encoders.named) }

  /// Returns FFmpeg's name of the encoder; nil if the container has no default, which the writer reports.
  package func encoder(forFormat format: String, layout: PixelLayout, color: ColorDescription) -> String? {
    namedEncoder ?? Encoders.defaultEncoder(forFormat: format, layout: layout, color: color)
  }

  /// Returns whether the encoder accepts code values of a layout unchanged, unless another layout is requested.
  package func takes(_ layout: PixelLayout, _ color: ColorDescription, format: String) -> Bool {
    guard layout.samples == .integer, layout.name != nil, self.layout ?? layout == layout,
      MediaWriter.holds(layout, format: format)
    else { return false }
    let encoder = encoder(forFormat: format, layout: layout, color: color)
    return encoder.map { Encoders.layout(near: layout, for: $0) == layout } ?? true
  }

  /// Checks that the encoder supports the request.
  /// - Parameter encoder: FFmpeg's name; the writer reports nil or an unknown encoder.
  /// - Throws: `Refusal` that states what the encoder supports instead.
  package func check(with encoder: String?) throws(Refusal) {
    guard let encoder, let ability = Encoders.rateAbility(encoder) else { return }
    for own in ownOptions where !own.library.encoders.contains(encoder) {
      throw .invalid(
        "options-of-another-encoder",
        "\(own.library.parameter) is not for \(encoder), the encoder of this output: choose another one with "
          + "\(.encoder), or use \(.encoderOptions).")
    }
    try checkQuality(encoder, ability)
    try checkRate(encoder, ability)
    try checkOptions(encoder, ability)
  }

  /// Checks that the constant quality is on the encoder's scale.
  /// - Parameter encoder: FFmpeg's name; nil, an unknown encoder, or one without a scale is not checked.
  func checkScale(of encoder: String?) throws(Refusal) {
    guard let crf, let encoder, let range = Encoders.rateAbility(encoder)?.crf, !range.contains(crf) else { return }
    throw .invalid(
      "crf-out-of-range",
      "\(encoder) accepts \(.crf, range.lowerBound.words) to \(range.upperBound.words), not \(crf.words).")
  }

  /// Checks that encoder options do not contradict parameters: which one prevails differs between libraries.
  private func checkOptions(_ encoder: String, _ ability: Encoders.RateAbility) throws(Refusal) {
    let lists =
      [(Parameter.encoderOptions, encoderOptions ?? [])] + ownOptions.map { ($0.library.parameter, $0.options) }
    let stated = Set(parametersOfEncoder)
    for (place, options) in lists {
      for option in options {
        guard let twice = option.rivals(ability, encoder).first(where: stated.contains) else { continue }
        let hint: MessageText =
          twice == .maxBitrate && option.name.contains("buf") ? " \(.bufferSize) sets the buffer." : ""
        throw .invalid(
          "option-conflict", "\(option.name) in \(place) conflicts with \(twice): give only one of them.\(hint)")
      }
    }
  }

  /// Stated parameters that encoder options can also set.
  private var parametersOfEncoder: [Parameter] {
    [(Parameter.crf, crf != nil), (.preset, preset != nil)].filter(\.1).map(\.0) + bounds
  }

  /// Stated parameters of the bit rate.
  private var bounds: [Parameter] { CodingOptions.set(in: self, with: .isForWholeFilm) }

  private func checkQuality(_ encoder: String, _ ability: Encoders.RateAbility) throws(Refusal) {
    if crf == nil { return }
    if ability.crf == nil { throw .invalid("no-crf", "\(encoder) has no CRF: \(ability.insteadOfCRF).") }
    try checkScale(of: encoder)
    if rate.average != nil, !ability.bothAtOnce { throw .invalid(.exclusive(.bitrate, .crf)) }
  }

  private func checkRate(_ encoder: String, _ ability: Encoders.RateAbility) throws(Refusal) {
    guard let parameter = bounds.first else { return }
    if !ability.keepsBitRate {
      if ability.isLossless {
        throw .invalid("no-bit-rate", "\(encoder) is lossless and cannot keep to a bit rate: leave out \(parameter).")
      }
      throw .invalid(
        "no-bit-rate",
        "\(encoder) cannot keep to a bit rate: leave out \(parameter), and see `ffmpeg -h encoder=\(encoder)` for its "
          + "options, which \(.encoderOptions) sets.")
    }
    let isBounded = rate.average == nil ? ability.boundsQuality : ability.boundsBitRate
    if rate.maximum != nil, !isBounded {
      let text: MessageText =
        if ability.boundsQuality {
          "\(encoder) honours \(.maxBitrate) only together with constant quality: leave out \(.bitrate)."
        } else if ability.boundsBitRate {
          "\(encoder) honours \(.maxBitrate) only together with \(.bitrate): add \(.bitrate)."
        } else {
          "\(encoder) does not honour \(.maxBitrate): leave it out, or use \(.encoder, "libx265") or libx264."
        }
      throw .invalid("no-maximum-bit-rate", text)
    }
    if rate.isTwoPass, !ability.hasTwoPasses {
      let able = Encoders.withTwoPasses.joined(separator: ", ")
      throw .invalid(
        "no-two-passes",
        "\(encoder) does not support two-pass encoding: leave out \(.twoPass), or choose one of \(able) with "
          + "\(.encoder).")
    }
  }
}

extension Encoders.RateAbility {
  /// What an encoder without CRF offers instead.
  fileprivate var insteadOfCRF: MessageText {
    if isLossless { return "it is lossless, leave out \(.crf)" }
    var ways = qualityOptions.map { option -> MessageText in "\(.encoderOptions, "\(option)=VALUE")" }
    if keepsBitRate {
      if qualityOptions.isEmpty { ways.append("\(.encoderOptions, "qmin=3:qmax=3") for a constant quantizer") }
      ways.append("\(.bitrate)")
    }
    if ways.isEmpty { return "its quality is fixed, leave out \(.crf)" }
    return "it has \(ways.joined(separator: ", or "))"
  }
}

extension CodingRequest.OwnOptions.Library {
  /// FFmpeg's names of the library's encoders.
  fileprivate var encoders: [String] {
    switch self {
    case .x264: ["libx264"]
    case .x265: ["libx265"]
    case .svtAV1: ["libsvtav1"]
    }
  }

  /// The parameter with the library's options.
  var parameter: Parameter {
    switch self {
    case .x264: .x264Params
    case .x265: .x265Params
    case .svtAV1: .svtav1Params
    }
  }
}
