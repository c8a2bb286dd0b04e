internal import ArgumentParser
internal import ColorScience
internal import Frames
internal import Patterns
internal import ToneMapping
internal import Verification

/// What was done to a pattern on purpose, as `--expect` says it: "tone-mapped:system:headroom=1".
struct Rendition {
  let text: String
  let mapping: MappingOptions

  /// The keys that an expectation takes, by the options of transcode that they are.
  private static let keys = ["to", "peak", "sdr-white", "reference-white", "gamut", "hlg-ootf"]

  /// - Parameters:
  ///   - text: What the user wrote.
  ///   - kind: What the input is.
  /// - Throws: `CommandFailure` that says what would do.
  init(_ text: String, for kind: PatternSignal.Kind) throws {
    self.text = text
    var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, parts.removeFirst() == "tone-mapped" else {
      throw Self.failure(text, "it begins with tone-mapped:CURVE, as tone-mapped:system:headroom=1")
    }
    var arguments = ["--tone-map", parts.removeFirst()]
    var values: [String: String] = [:]
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, Self.keys.contains(pair[0]) || pair[0] == "headroom", values[pair[0]] == nil else {
        throw Self.failure(
          text, "'\(part)' is none of headroom=, \(Self.keys.map { $0 + "=" }.joined(separator: ", "))")
      }
      values[pair[0]] = pair[1]
    }
    if let headroom = values.removeValue(forKey: "headroom") {
      guard values["peak"] == nil, let ratio = Double(headroom), (1...100).contains(ratio) else {
        throw Self.failure(text, "headroom= takes 1 to 100, and goes without peak=")
      }
      let white = values["sdr-white"].flatMap(Double.init) ?? Self.usualWhite(kind)
      values["sdr-white"] = "\(white)"
      values["peak"] = "\(white * ratio)"
    }
    values["to"] = values["to"] ?? kind.rawValue
    arguments += values.sorted { $0.key < $1.key }.flatMap { ["--\($0.key)", $0.value] }
    do {
      mapping = try MappingOptions.parse(arguments)
    } catch {
      throw Self.failure(text, MappingOptions.message(for: error))
    }
    guard mapping.to.rawValue == kind.rawValue else {
      throw CommandFailure(
        "--expect says to=\(mapping.to.rawValue), and the input is \(kind.words): if its tags are wrong, say what it is "
          + "with --input-transfer.", .usage)
    }
  }

  private static func usualWhite(_ kind: PatternSignal.Kind) -> Double {
    kind == .sdr ? EDRMetadata.defaultOpticalOutputScale : ToneConditions.defaultReferenceWhite
  }

  private static func failure(_ text: String, _ reason: String) -> CommandFailure {
    let end = reason.hasSuffix(".") ? "" : "."
    return CommandFailure("'\(text)' is no rendition that can be expected: \(reason)\(end)", .usage)
  }

  /// What becomes of a pattern's signal.
  /// - Parameters:
  ///   - metadata: What the pattern said of its light.
  ///   - signal: That of the input.
  func expectation(
    of pattern: PatternSignal, metadata: HDRMetadata, in signal: PatternSignal
  ) throws -> PatternExpectation {
    let color = ColorDescription(
      primaries: pattern.primaries, transfer: pattern.transfer, matrix: .rgb, range: pattern.range)
    let frame = CodedFrame(
      size: Size(width: 2, height: 2), layout: PixelLayout(.rgb, bitDepth: 10), color: color, metadata: metadata)
    let source = try SourcePlan(frame: frame, path: "the pattern", overrides: SourceOverrides(), use: nil)
    let target = try TargetPlan(source, options: mapping)
    let reference = SignalMapping(
      source: source.interpretation.transfer, stages: target.way.stages(for: nil), target: target.transfer,
      display: target.display, reach: (source.reach, target.reach))
    return PatternExpectation(text, of: pattern, as: signal) { reference.map($0) }
  }
}
