/// Former spellings of options, which still work.
struct DeprecatedOption {
  /// The verbs that had the option.
  private let verbs: [String]
  private let name: String
  /// The current spelling.
  private let replacement: String
  /// The former values, if the name now means something else.
  private let hadValue: (@Sendable (String) -> Bool)?

  private init(_ verbs: [String], _ name: String, _ replacement: String, hadValue: (@Sendable (String) -> Bool)? = nil)
  {
    (self.verbs, self.name, self.replacement, self.hadValue) = (verbs, name, replacement, hadValue)
  }

  private static let all = [
    DeprecatedOption(["preview", "serve"], "--output", "--screen") {
      ["window", "terminal", "null"].contains($0) || $0.hasPrefix("/dev/")
    },
    DeprecatedOption(["pattern", "verify", "scopes"], "--scale", "--point-scale"),
    DeprecatedOption(["pattern"], "--scales", "--point-scale"),
    DeprecatedOption(["verify"], "--report", "--page"),
    DeprecatedOption(["lut"], "--size", "--nodes"),
    DeprecatedOption(["transcode"], "--all", "--include-sdr"),
    DeprecatedOption(["assemble"], "--follow", "--wait"),
    DeprecatedOption(["status"], "--follow", "--watch"),
    DeprecatedOption(["display"], "--presets", "--list"),
    DeprecatedOption(["constant-color"], "--ambient", "--without-flash"),
  ]

  /// Returns the arguments in current spelling.
  static func replaced(in arguments: [String]) -> [String] {
    guard let verb = arguments.first else { return arguments }
    let options = all.filter { $0.verbs.contains(verb) }
    guard !options.isEmpty else { return arguments }
    var result = arguments
    for (index, word) in arguments.enumerated() {
      if word == "--" { break }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = parts.count == 2 ? parts[1] : index + 1 < arguments.count ? arguments[index + 1] : ""
      guard let option = options.first(where: { $0.name == parts[0] }), option.hadValue?(value) ?? true else {
        continue
      }
      result[index] = option.replacement + (parts.count == 2 ? "=" + value : "")
      Console.warning("\(option.name) of \(verb) is \(option.replacement) now; the former spelling will be removed.")
    }
    return result
  }
}
