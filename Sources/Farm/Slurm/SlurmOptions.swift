/// A user's options for sbatch.
package struct SlurmOptions: Sendable, Hashable {
  /// The options as words.
  package let words: [String]

  /// Options that change what is submitted rather than how, with the reason for refusing them.
  private static let refused: [(names: Set<Substring>, reason: String)] = [
    (["--array", "-a"], "the chunks are numbered by the plan"),
    (["--dependency", "-d"], "jobs depend on each other as the plan needs it"),
    (["--chdir", "-D"], "jobs run in the work folder"),
    (["--wrap"], "the scripts of the work folder are run"),
    (["--clusters", "-M"], "the jobs could not be found again on another cluster; set SLURM_CONF instead"),
    (
      ["--parsable", "--wait", "-W", "--test-only", "--help", "-h", "--usage", "--version", "-V"], "sbatch is to submit"
    ),
  ]

  /// - Parameter text: Options as on a command line, with quotes.
  package init(_ text: String) throws(SlurmError) {
    guard let words = ShellWords.words(of: text) else {
      throw .hasBadOptions(text, reason: "a quote is not closed")
    }
    var mayBeValue = false
    for word in words {
      let name = Self.name(of: word)
      if let refused = Self.refused.first(where: { $0.names.contains(name) }) {
        throw .hasBadOptions(text, reason: "\(name) cannot be set, as \(refused.reason)")
      }
      // sbatch would take it as the script.
      guard word != "--", word.hasPrefix("-") || mayBeValue else {
        throw .hasBadOptions(text, reason: "'\(word)' is no option")
      }
      mayBeValue = word.hasPrefix("--") ? !word.contains("=") : word.hasPrefix("-") && word.count == 2
    }
    self.words = words
  }

  /// Returns the option's name: "--mem" for "--mem=8G", "-c" for "-c4".
  private static func name(of word: String) -> Substring {
    word.hasPrefix("--") ? word.prefix { $0 != "=" } : word.hasPrefix("-") ? word.prefix(2) : ""
  }

  /// Whether the user sets the memory per job.
  package var setMemory: Bool {
    words.contains { word in
      let name = Self.name(of: word)
      return name == "--mem" || name.hasPrefix("--mem-per-")
    }
  }

  /// Whether the user sets the processors per job.
  package var setProcessors: Bool {
    words.contains { word in
      let name = Self.name(of: word)
      return name == "-c" || name == "-n" || name == "-N" || name.hasPrefix("--cpus") || name.hasPrefix("--ntasks")
        || name.hasPrefix("--exclusive")
    }
  }

  /// The user's partitions; nil: the default one.
  package var partitions: [String]? {
    var named: Substring?
    for (index, word) in words.enumerated() {
      switch Self.name(of: word) {
      case "--partition" where word.contains("="): named = word.drop { $0 != "=" }.dropFirst()
      case "-p" where word.count > 2: named = word.dropFirst(2)
      case "--partition", "-p": named = index + 1 < words.count ? words[index + 1][...] : nil
      default: break
      }
    }
    return named.map { $0.split(separator: ",").map(String.init) }
  }
}
