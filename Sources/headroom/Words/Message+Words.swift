internal import ArgumentParser
package import Sessions

extension Wording {
  /// The wording of the command line tool.
  package static let english = Wording(
    parameter: { $0.option(with: $1) }, error: { CommandFailure($0).message })
}

extension MessageText {
  /// The text, with command line options.
  var words: String { spelled { $0.option(with: $1) } }
}

extension Message {
  /// The text, with command line options.
  var words: String { text.words }
}

extension Refusal {
  /// The message, with a note if a warning became an error.
  var words: String { message.words + (isStrict ? " (--strict)" : "") }
}

extension Parameter {
  fileprivate func option(with value: String?) -> String {
    flag + (value.map { (flag.hasSuffix("=") ? "" : " ") + $0 } ?? "")
  }

  /// All spellings of the command line option.
  package var flags: [String] {
    let others: [Parameter: String] = [.map: "-map", .audioBitRate: "-b:a", .destination: "--output"]
    return [flag] + [others[self]].compactMap(\.self)
  }

  /// The spellings, for the parser.
  var names: NameSpecification { NameSpecification(flags.map(Self.name)) }

  private static func name(_ flag: String) -> NameSpecification.Element {
    if flag.hasPrefix("--") { return .customLong(String(flag.dropFirst(2))) }
    let name = flag.dropFirst()
    return name.count > 1 ? .customLong(String(name), withSingleDash: true) : .customShort(flag.last ?? "?")
  }

  /// The command line option.
  var flag: String {
    switch self {
    case .statistics: "--stats"
    case .audioEncoder: "-c:a"
    case .audioBitRate: "--audio-bitrate"
    case .hardwareDevice: "--hw-device"
    case .encoder: "-c:v"
    case .subtitleEncoder: "-c:s"
    case .destination: "-o"
    case .format: "-f"
    case .outputKind: "--to"
    case .headroom: "--headroom"
    case .expectedHeadroom: "--expect headroom="
    case .rendition: "--expect"
    case .headroomForHDR: "--hdr-threshold"
    case .highlightDesaturation: "--highlight-desaturation"
    case .exposure: "--exposure"
    case .black: "--black"
    case .ambient: "--ambient"
    case .masteringDisplay: "--master-display"
    case .contentLight: "--max-cll"
    case .peakDetection: "--peak-detect"
    case .chromaLocation: "--chroma-site"
    case .gainMapHeadroom: "--gain-map"
    case .capture: "--format, --size, --rate, --channel and --wait"
    case .maximumLatency: "--max-latency"
    case .captureFormat: "--format"
    case .hostName: "--host"
    case .maximumViewers: "--max-viewers"
    case .ambientPicture: "--without-flash"
    case .flashPicture: "--flash"
    case .pairSource: "--from"
    case .workFolder: "--work"
    case .allPieces: "--all"
    case .awaitPieces: "--wait"
    case .minimumConfidence: "--min-confidence"
    case .region: "--roi"
    case .hdr10Plus: "--hdr10plus"
    case .x264Params: "-x264-params"
    case .x265Params: "-x265-params"
    case .svtav1Params: "-svtav1-params"
    default: "--" + rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }
  }
}

extension [String] {
  /// The text, quoted for a shell.
  var shellText: String {
    func isPlain(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber || "-_.,:=/+@%".contains(character))
    }
    return map { word in
      !word.isEmpty && word.allSatisfy(isPlain) ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }.joined(separator: " ")
  }
}
