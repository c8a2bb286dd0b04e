internal import Displays
internal import Sessions
internal import ToneMapping

extension RenditionRequest {
  /// The keys of an expectation, which are names of transcode options.
  private static let keys = [
    "headroom", "to", "peak", "sdr-white", "reference-white", "gamut", "highlight-desaturation", "exposure", "black",
    "ambient", "hlg-ootf",
  ]

  /// Parses `--expect`: "tone-mapped:system:headroom=1", or "reference".
  /// - Throws: `CommandFailure` that says what would be valid.
  init(argument: String) throws {
    if argument == "reference" {
      var mapping = MappingRequest()
      mapping.display = DisplayStatus(.reference)
      self.init(argument, mapping: mapping)
      return
    }
    var parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, parts.removeFirst() == "tone-mapped" else {
      throw Self.failure(argument, "it must begin with tone-mapped:CURVE, as in tone-mapped:system:headroom=1")
    }
    var mapping = MappingRequest()
    let curve = parts.removeFirst()
    mapping.curve = curve == MappingOptions.hdr10PlusCurve ? .hdr10Plus : ToneCurve.named(curve).map { .named($0) }
    if mapping.curve == nil { throw Self.failure(argument, "there is no tone curve '\(curve)'") }
    var values: [String: String] = [:]
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, Self.keys.contains(pair[0]), values[pair[0]] == nil else {
        throw Self.failure(
          argument, "'\(part)' is not one of \(Self.keys.map { $0 + "=" }.joined(separator: ", "))")
      }
      values[pair[0]] = pair[1]
    }
    func value<Value>(_ key: String, _ parse: (String) -> Value?) throws -> Value? {
      guard let text = values[key] else { return nil }
      guard let value = parse(text) else { throw Self.failure(argument, "'\(text)' is not a value of \(key)=") }
      return value
    }
    mapping.chosenKind = try value("to", OutputKind.init(rawValue:))
    mapping.peak = try value("peak", Double.init)
    mapping.sdrWhite = try value("sdr-white", Double.init)
    mapping.referenceWhite = try value("reference-white", Double.init)
    mapping.gamut = try value("gamut", GamutMapping.Method.init(rawValue:)) ?? mapping.gamut
    mapping.highlightDesaturation = try value("highlight-desaturation", Double.init)
    mapping.exposure = try value("exposure", Double.init) ?? 0
    mapping.black = try value("black", Double.init)
    mapping.surround = try value("ambient", Surround.init(rawValue:))?.nits
    mapping.hlgOOTF = try value("hlg-ootf", DisplayMapping.OOTF.init(rawValue:)) ?? mapping.hlgOOTF
    let headroom = try value("headroom", Double.init)
    if let headroom, mapping.peak != nil || !(1...100).contains(headroom) {
      throw Self.failure(argument, "headroom= takes 1 to 100, and cannot be combined with peak=")
    }
    self.init(argument, mapping: mapping, headroom: headroom)
    do {
      try mapping.validate()
    } catch {
      throw Self.failure(argument, error.message.words)
    }
  }

  private static func failure(_ text: String, _ reason: String) -> CommandFailure {
    let end = reason.hasSuffix(".") ? "" : "."
    return CommandFailure("'\(text)' is not a valid rendition: \(reason)\(end)", .usage)
  }
}
