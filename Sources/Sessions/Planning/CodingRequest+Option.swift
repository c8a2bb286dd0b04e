internal import FFmpegIO

extension CodingRequest.Option {
  /// What an encoder's option sets that parameters of a request set as well.
  enum Subject {
    /// A constant quality.
    case quality
    /// An average bit rate.
    case rate
    /// The highest bit rate.
    case maximum
    /// The buffer that the highest bit rate fills.
    case buffer
    /// How much effort is made.
    case preset
    /// One of several passes, and what they know of each other.
    case pass
    /// Which of quality and rate counts.
    case mode
  }

  /// Sources: the documentation of x264 r3095, x265 3.5, SVT-AV1 1.4 and of FFmpeg 5.1's encoders.
  private static let subjects: [Subject: Set<String>] = [
    .quality: ["crf", "qp", "qp-constant", "cqp", "cq", "cq-level", "lossless", "qscale", "q", "global-quality"],
    .rate: ["bitrate", "b", "tbr", "target-bitrate"], .mode: ["rc"],
    .maximum: ["vbv-maxrate", "maxrate", "mbr", "max-bitrate"],
    .buffer: ["vbv-bufsize", "bufsize", "buf-sz"],
    .preset: ["preset", "cpu-used", "speed"],
    .pass: ["pass", "stats", "passlogfile"],
  ]

  /// What it decides; nil: nothing that parameters do.
  var subject: Subject? {
    let name = name.replacing("_", with: "-")
    if let own = Self.subjects.first(where: { $0.value.contains(name) }) { return own.key }
    // libaom has options of its own within one of FFmpeg's.
    guard name == "aom-params" else { return nil }
    let inner = value.split(separator: ":").map { CodingRequest.Option(String($0.prefix { $0 != "=" }), "") }
    return inner.lazy.compactMap(\.subject).first
  }

  /// Parameters of a request that it takes the place of.
  package var replaced: [Parameter] {
    switch subject {
    case .quality, .rate, .mode: [.crf, .bitrate]
    case .maximum: [.maxBitrate]
    case .buffer: [.bufferSize]
    case .preset: [.preset]
    case .pass: [.twoPass]
    case nil: []
    }
  }

  /// An encoder's option for a quality or a rate.
  var setsQuality: Bool { [Subject?.some(.quality), .some(.rate), .some(.mode)].contains(subject) }

  /// A value by which it decides nothing.
  private var isOff: Bool { name == "lossless" && value == "0" || name == "qp" && value.hasPrefix("-") }

  /// Parameters of a request that it contradicts if they are stated.
  func rivals(_ ability: Encoders.RateAbility, _ encoder: String) -> [Parameter] {
    if isOff { return [] }
    switch subject {
    case .quality:
      // A maximum bounds no constant quantizer.
      return [.crf] + (ability.bothAtOnce ? [] : [.bitrate]) + (name.hasSuffix("crf") ? [] : [.maxBitrate])
    case .rate: return ability.bothAtOnce ? [.bitrate] : [.bitrate, .crf]
    // SVT-AV1's numbers: 0 is constant quality; others bound the rate, which says more than a rate alone.
    case .mode where encoder != "libsvtav1": return []
    case .mode: return value == "0" ? [.bitrate] : ["1", "2"].contains(value) ? [.crf] : []
    case .maximum: return [.maxBitrate]
    // One second of the maximum is assumed.
    case .buffer: return [.bufferSize, .maxBitrate]
    case .preset: return [.preset]
    case .pass: return [.twoPass]
    case nil: return []
    }
  }
}
