internal import FFmpegIO
internal import Foundation
internal import Media

extension VideoPlan {
  /// The encoder, its preset, and its quality or rate: the library's defaults unless requested.
  ///
  /// "libx265, preset medium, CRF 28"; nil if the container has no default encoder.
  public var encoding: String? {
    guard let encoder else { return nil }
    let defaults = Encoders.defaults(encoder)
    let preset = preset ?? encoderOptions.last { $0.subject == .preset }?.value
    var parts = [encoder]
    if let preset = preset ?? defaults.preset { parts.append("preset \(preset)") }
    parts += quality(defaults)
    if let average = rate.average { parts.append(average.bitRateWords) }
    if let maximum = rate.maximum { parts.append("at most " + maximum.bitRateWords) }
    if let buffer = rate.buffer { parts.append("buffer " + buffer.bitWords) }
    parts += own { [.maximum, .buffer, .pass].contains($0) }
    if rate.isTwoPass { parts.append("two passes") }
    return parts.joined(separator: ", ")
  }

  /// FFmpeg's default bit rate, if neither a rate nor a quality is set; nil otherwise.
  var assumedBitRate: Int? {
    let bounds: Set = ["qmin", "qmax", "flags"]
    guard let encoder, crf == nil, rate.average == nil, Encoders.defaults(encoder).crf == nil,
      !encoderOptions.contains(where: { $0.setsQuality || bounds.contains($0.name) })
    else { return nil }
    return Encoders.defaults(encoder).bitRate
  }

  private func quality(_ defaults: Encoders.Defaults) -> [String] {
    let stated = (crf.map { ["CRF \($0.words)"] } ?? []) + own { [.quality, .rate, .mode].contains($0) }
    if !stated.isEmpty || rate.average != nil { return stated }
    if let crf = defaults.crf { return ["CRF \(crf.words)"] }
    return defaults.bitRate.map { [$0.bitRateWords] } ?? []
  }

  /// Returns the encoder options of a subject; the last option with a name applies.
  private func own(_ isAbout: (CodingRequest.Option.Subject) -> Bool) -> [String] {
    var names: [String] = []
    var values: [String: String] = [:]
    for option in encoderOptions where option.subject.map(isAbout) ?? false {
      if values.updateValue(option.value, forKey: option.name) == nil { names.append(option.name) }
    }
    return names.map { "\($0) \(values[$0] ?? "")" }
  }
}

extension Int {
  /// "8 Mbit", "4.5 Mbit", "800 kbit"
  package var bitWords: String {
    self < 1_000_000 ? "\((Double(self) / 1e3).words) kbit" : "\((Double(self) / 1e6).words) Mbit"
  }

  /// "8 Mbit/s", "192 kbit/s"
  package var bitRateWords: String { bitWords + "/s" }
}
