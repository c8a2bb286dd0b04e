internal import Files
internal import Foundation
internal import Frames
package import Sessions

extension Wording {
  /// The wording of the command line tool.
  package static let english = Wording(diagnostic: { $0.words }, error: { CommandFailure($0).message })
}

extension Diagnostic {
  /// One or two sentences: what was found, and which option would help.
  var words: String {
    switch self {
    case .outOfRange(let parameter, let value, let least, let most):
      most.map { "\(parameter.flag) takes \(least) to \($0), not \(value)." }
        ?? "\(parameter.flag) takes \(least) or more, not \(value)."
    case .exclusive(let one, let other): Self.exclusive(one, other)
    case .input(let diagnostic): diagnostic.words
    case .source(let diagnostic): diagnostic.words
    case .geometry(let diagnostic): diagnostic.words
    case .mapping(let diagnostic): diagnostic.words
    case .output(let diagnostic): diagnostic.words
    case .coding(let diagnostic): diagnostic.words
    case .streams(let diagnostic): diagnostic.words
    case .picture(let diagnostic): diagnostic.words
    case .pattern(let diagnostic): diagnostic.words
    case .verification(let diagnostic): diagnostic.words
    case .scopes(let diagnostic): diagnostic.words
    case .table(let diagnostic): diagnostic.words
    case .run(let diagnostic): diagnostic.words
    case .preview(let diagnostic): diagnostic.words
    case .serve(let diagnostic): diagnostic.words
    case .film(let diagnostic): diagnostic.words
    case .constantColor(let diagnostic): diagnostic.words
    case .library(let diagnostic): diagnostic.words
    }
  }

  private static func exclusive(_ one: Parameter, _ other: Parameter) -> String {
    switch (one, other) {
    case (.at, _): "--at selects one frame: omit --start, --duration, --frames and --every."
    case (.contact, _): "--contact chooses its own frames: omit --at, --frames and --every."
    default: "\(one.flag) cannot be combined with \(other.flag): choose one."
    }
  }
}

extension Refusal {
  /// The words of its diagnostic, and why a warning became an error.
  var words: String { diagnostic.words + (isStrict ? " (--strict)" : "") }
}

extension Parameter {
  /// The command line option.
  var flag: String {
    switch self {
    case .statistics: "--stats"
    case .audioEncoder: "-c:a"
    case .audioBitRate: "--audio-bitrate"
    case .hardwareDevice: "--hw-device"
    case .encoder: "-c:v"
    case .subtitleEncoder: "-c:s"
    case .startOrDuration: "--start or --duration"
    case .otherSelection: "--start, --duration, --frames and --every"
    case .headroom: "--headroom"
    case .expectedHeadroom: "--expect headroom="
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
    case .maximumLatency: "--max-latency"
    case .maximumViewers: "--max-viewers"
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
