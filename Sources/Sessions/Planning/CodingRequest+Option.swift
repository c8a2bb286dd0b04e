internal import FFmpegIO

extension CodingRequest.Option {
  /// The setting of an encoder option that parameters of a request also set.
  enum Subject {
    /// Constant quality.
    case quality
    /// Average bit rate.
    case rate
    /// Maximum bit rate.
    case maximum
    /// Rate control buffer.
    case buffer
    /// Effort.
    case preset
    /// Passes of multi-pass encoding, and their shared statistics.
    case pass
    /// Choice between quality and rate.
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

  /// The setting that it controls; nil: none that parameters control.
  var subject: Subject? {
    let name = name.replacing("_", with: "-")
    if let own = Self.subjects.first(where: { $0.value.contains(name) }) { return own.key }
    // libaom has its own options within one of FFmpeg's.
    guard name == "aom-params" else { return nil }
    let inner = value.split(separator: ":").map { CodingRequest.Option(String($0.prefix { $0 != "=" }), "") }
    return inner.lazy.compactMap(\.subject).first
  }

  /// Parameters of a request that it overrides.
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

  /// An encoder option that sets a quality or a rate.
  var setsQuality: Bool { [Subject?.some(.quality), .some(.rate), .some(.mode)].contains(subject) }

  /// A value that disables the option.
  private var isOff: Bool { name == "lossless" && value == "0" || name == "qp" && value.hasPrefix("-") }

  /// Returns the parameters of a request that contradict it.
  func rivals(_ ability: Encoders.RateAbility, _ encoder: String) -> [Parameter] {
    if isOff { return [] }
    switch subject {
    case .quality:
      // A maximum bit rate has no effect on a constant quantizer.
      return [.crf] + (ability.bothAtOnce ? [] : [.bitrate]) + (name.hasSuffix("crf") ? [] : [.maxBitrate])
    case .rate: return ability.bothAtOnce ? [.bitrate] : [.bitrate, .crf]
    // SVT-AV1: 0 is constant quality; other values control the rate, in more detail than a rate alone.
    case .mode where encoder != "libsvtav1": return []
    case .mode: return value == "0" ? [.bitrate] : ["1", "2"].contains(value) ? [.crf] : []
    case .maximum: return [.maxBitrate]
    // Assumes one second of the maximum.
    case .buffer: return [.bufferSize, .maxBitrate]
    case .preset: return [.preset]
    case .pass: return [.twoPass]
    case nil: return []
    }
  }
}
