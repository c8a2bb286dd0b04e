internal import FFmpegIO
internal import Files
internal import Sessions

/// A file of transcode options, one per line; lines starting with # are comments.
package struct Preset {
  /// A line of the file.
  private struct Line {
    let option: RequestOption<TranscodeRequest>
    /// The option as on a command line.
    let words: [String]
  }

  /// The description: the first comment.
  let description: String?
  private let lines: [Line]

  /// - Throws: `Failure` for lines that are not preset options, and for options that would be invalid with any input.
  package init(_ text: String) throws(Failure) {
    var (description, lines, request) = (String?.none, [Line](), TranscodeRequest.defaults)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmingWhitespace
      if line.hasPrefix("#") {
        description = description ?? String(line.dropFirst().trimmingWhitespace)
      } else if !line.isEmpty {
        do throws(Failure) { lines.append(try Self.line(line, &request)) } catch {
          throw Failure("line \(index + 1): \(error.reason)")
        }
      }
    }
    (self.description, self.lines) = (description, lines)
    // Any output name, which every run needs.
    request.output = "-"
    do { try request.validate() } catch { throw Failure(error.words) }
  }

  /// Parses an option and its value, separated by a space or equals sign, with or without dashes.
  private static func line(_ text: Substring, _ request: inout TranscodeRequest) throws(Failure) -> Line {
    let end = text.firstIndex { $0 == "=" || $0.isWhitespace } ?? text.endIndex
    var value = text[end...].trimmingWhitespace
    if value.hasPrefix("=") { value = value.dropFirst().trimmingWhitespace }
    let name = text[..<end].drop { $0 == "-" }
    let spelling = TranscodeOptions.options.lazy.compactMap { option in
      option.spellings.first { $0.flag.drop { $0 == "-" } == name }.map { (option, $0) }
    }.first
    guard let (option, (flag, switched)) = spelling else {
      throw Failure("transcode has no option '\(name)'; `headroom transcode --help` lists them.")
    }
    if option.effects.contains(.isOfSingleRun) {
      throw Failure("\(flag) belongs to a single run: name files on the command line.")
    }
    if switched == nil, value.isEmpty, text.endIndex == end { throw Failure("\(flag) needs a value.") }
    if switched != nil, !value.isEmpty { throw Failure("\(flag) takes no value.") }
    do throws(InvalidValue) { try option.change(switched ?? String(value))(&request) } catch {
      throw Failure("'\(value)' is not a value of \(flag): \(error.description)")
    }
    return Line(option: option, words: [flag] + (switched == nil ? [String(value)] : []))
  }

  /// The options as on a command line.
  var words: [String] { lines.flatMap(\.words) }

  /// The text of the file.
  var text: String {
    let comment = description.map { ["# " + $0] } ?? []
    return (comment + lines.map { $0.words.joined(separator: " ") }).joined(separator: "\n")
  }

  /// Returns the preset options that remain beside the user's: the user's options replace those of the preset, without
  /// merging.
  package func words(beside own: some Sequence<String>) -> [String] {
    let own = UserOptions(own)
    return lines.filter { !own.replace($0.option, encoder: value(of: .encoder)) }.flatMap(\.words)
  }

  private func value(of parameter: Parameter) -> String? {
    lines.last { $0.option.parameter == parameter }?.words.last
  }

  /// A reason why a file is not a preset.
  package struct Failure: Error {
    /// The reason as a sentence ending.
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }
}

/// The user's options beside a preset.
private struct UserOptions {
  private var values: [Parameter: String] = [:]

  init(_ words: some Sequence<String>) {
    let words = Array(words)
    for (index, word) in words.enumerated() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first,
        let option = TranscodeOptions.options.first(where: { $0.spellings.contains { $0.flag == name } })
      else { continue }
      let next = index + 1 < words.count ? words[index + 1] : ""
      values[option.parameter] = parts.count == 2 ? String(parts[1]) : next
    }
    // Encoder options can have the same effect.
    for parameter in [Parameter.encoderOptions, .x264Params, .x265Params, .svtav1Params] {
      guard let text = values[parameter] else { continue }
      let options = (try? OptionValue.options.parse(text)) ?? []
      for replaced in options.flatMap(\.replaced) { values[replaced] = values[replaced] ?? "" }
    }
  }

  /// Returns whether the user's options replace an option of the preset.
  /// - Parameter encoder: The video encoder of the preset.
  func replace(_ option: RequestOption<TranscodeRequest>, encoder: String?) -> Bool {
    let rivals = [option.parameter] + option.excludes + option.alternatives
    let reverse = TranscodeOptions.options.filter {
      values[$0.parameter] != nil && ($0.excludes + $0.alternatives).contains(option.parameter)
    }
    if rivals.contains(where: { values[$0] != nil }) || !reverse.isEmpty { return true }
    if option.effects.contains(.isForVideoEncoder), let other = values[.encoder], let encoder {
      return Encoders.named(other) != Encoders.named(encoder)
    }
    if let audio = values[.audioEncoder] {
      if option.effects.contains(.isForLossyAudio) {
        return audio == "copy" || Encoders.isLossless(Encoders.namedAudio(audio))
      }
      if option.effects.contains(.isForEncodedAudio) { return audio == "copy" }
    }
    return option.parameter == .format && namesContainer
  }

  /// Whether the user's output name determines the container, overriding a preset.
  private var namesContainer: Bool {
    guard let name = values[.destination], name != "-", !name.hasSuffix("/") else { return false }
    return (try? MediaWriter.formatName(url: name)) != nil
  }
}

extension RequestOption {
  /// The flags of the option with the value that each one sets; nil: a value follows.
  fileprivate var spellings: [(flag: String, switched: String?)] {
    switch syntax {
    case .value, .list: parameter.flags.map { ($0, nil) }
    case .flag: parameter.flags.map { ($0, "yes") }
    case .toggle: parameter.flags.flatMap { [($0, "yes"), ("--no-" + $0.drop { $0 == "-" }, "no")] }
    }
  }
}

extension Substring {
  fileprivate var trimmingWhitespace: Substring {
    let start = drop(while: \.isWhitespace)
    return start.last?.isWhitespace == true
      ? start[...(start.lastIndex { !$0.isWhitespace } ?? start.startIndex)] : start
  }
}
