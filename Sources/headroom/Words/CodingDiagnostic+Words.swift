internal import Sessions

extension CodingDiagnostic {
  var words: String {
    switch self {
    case .crfIsOutOfRange(let crf, let encoder, let least, let most):
      "\(encoder) accepts --crf \(least.words) to \(most.words), not \(crf.words)."
    case .hasNoCRF(let encoder, let isLossless, let keepsBitRate, let options):
      "\(encoder) has no CRF: \(Self.instead(isLossless, keepsBitRate, options))."
    case .hasNoBitRate(let parameter, let encoder, let isLossless):
      isLossless
        ? "\(encoder) is lossless and cannot keep to a bit rate: leave out \(parameter.flag)."
        : "\(encoder) cannot keep to a bit rate: leave out \(parameter.flag), and see `ffmpeg -h encoder=\(encoder)` for its "
          + "options, which --encoder-options sets."
    case .hasNoMaximum(let encoder, .bitrate):
      "\(encoder) honours --max-bitrate only together with --bitrate: add --bitrate."
    case .hasNoMaximum(let encoder, .crf):
      "\(encoder) honours --max-bitrate only together with constant quality: leave out --bitrate."
    case .hasNoMaximum(let encoder, _):
      "\(encoder) does not honour --max-bitrate: leave it out, or use -c:v libx265 or libx264."
    case .maximumIsBelowBitRate(let maximum, let bitRate):
      "--max-bitrate \(maximum.rateWords) is below --bitrate \(bitRate.rateWords): a maximum is at least the average."
    case .bufferNeedsMaximum: "--buffer-size needs --max-bitrate: add --max-bitrate."
    case .twoPassesNeedBitRate:
      "--two-pass distributes a bit rate over the film: add --bitrate. With --crf, one pass does the same."
    case .hasOnePass(let encoder, let able):
      "\(encoder) does not support two-pass encoding: leave out --two-pass, or choose one of "
        + "\(able.joined(separator: ", ")) with -c:v."
    case .twoPassesAreForFiles: "--two-pass is for headroom transcode, which can read its input twice: leave it out."
    case .optionsAreForAnother(let parameter, let encoder):
      "\(parameter.flag) is not for \(encoder), the encoder of this output: choose another one with -c:v, or use "
        + "--encoder-options."
    case .assumesBuffer(let bits):
      "--max-bitrate uses a one-second buffer (\(bits.bitWords)); --buffer-size sets another."
    case .saidTwice(let stated, let option, let place):
      "\(option) in \(place.flag) conflicts with \(stated.flag): give only one of them."
        + (stated == .maxBitrate && option.contains("buf") ? " --buffer-size sets the buffer." : "")
    case .isEmpty(let parameter): "\(parameter.flag) needs a name: omit the option for the default."
    case .namesNoGraphicsProcessor(let device):
      "NVENC has no device '\(device)': --hw-device is the number of a graphics processor, from 0, as CUDA counts them."
    case .videoIsNotCopied:
      "Video is always encoded, so -c:v copy does not exist: name an encoder, or copy the film with ffmpeg -c copy."
    case .assumesBitRate(let rate, let encoder):
      "No quality or bit rate is set, so \(encoder) uses \(rate.bitRateWords), too little for most films: "
        + "add --bitrate, such as --bitrate 8M."
    case .keepsLayout(let layout, let expected):
      "\(layout.name ?? "the layout") is kept from the input, and few devices play it: --pixel-format "
        + "\(expected.name ?? "") makes what they expect."
    case .encodesTwice: "first of two passes: finding out how many bits each frame needs."
    }
  }

  private static func instead(_ isLossless: Bool, _ keepsBitRate: Bool, _ options: [String]) -> String {
    if isLossless { return "it is lossless, leave out --crf" }
    var ways = options.map { "--encoder-options \($0)=VALUE" }
    if keepsBitRate {
      if options.isEmpty { ways.append("--encoder-options qmin=3:qmax=3 for a constant quantizer") }
      ways.append("--bitrate")
    }
    return ways.isEmpty ? "its quality is fixed, leave out --crf" : "it has " + ways.joined(separator: ", or ")
  }
}

extension Int {
  /// As it is written after an option: "8M", "4500k".
  fileprivate var rateWords: String {
    isMultiple(of: 1_000_000) ? "\(self / 1_000_000)M" : isMultiple(of: 1000) ? "\(self / 1000)k" : "\(self)"
  }
}
