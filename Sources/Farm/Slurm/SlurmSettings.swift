internal import Files

/// The submission settings of a film, kept in the work folder for jobs that submit further jobs.
public struct SlurmSettings: Codable, Hashable, Sendable {
  /// The path of the rendering program on every machine.
  public var program: String
  /// The name of the film, for job names.
  public var film: String
  /// The user's options for sbatch, as on a command line.
  public var options: String
  /// Maximum number of chunks to render at once; nil: unlimited.
  public var limit: Int?
  /// Maximum number of tries per chunk, at least 1.
  public var maximumTries: Int

  /// Creates settings.
  public init(program: String, film: String, options: String = "", limit: Int? = nil, maximumTries: Int = 3) {
    (self.program, self.film, self.options) = (program, film, options)
    (self.limit, self.maximumTries) = (limit, maximumTries)
  }

  /// Maximum size of a settings file in bytes.
  static let largest = 1 << 20
}

/// The names of a work folder's jobs, used to find them in the queue.
package struct SlurmNames: Sendable, Hashable {
  /// The common prefix, "film-0123456789abcdef", with a hash of the folder's path.
  package let common: String

  private static let longestFilm = 40

  /// - Parameter folder: An absolute path.
  package init(film: String, folder: String) {
    let plain = film.printable.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-" }
    // FNV-1a, 64 bits.
    let hash = folder.systemBytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    common = "\(String(plain.prefix(Self.longestFilm)))-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The job that looks for missing pieces, and assembles the film if there are none.
  package var assembly: String { common + "-assemble" }

  /// Returns the name of an array of chunks.
  package func pieces(offset: Int) -> String { common + "-pieces" + (offset > 0 ? "+\(offset)" : "") }

  /// Returns the offset of an array from its name; nil if it is not an array of this folder.
  package func offset(of name: String) -> Int? {
    guard name.hasPrefix(common + "-pieces") else { return nil }
    let rest = name.dropFirst((common + "-pieces").count)
    return rest.isEmpty ? 0 : rest.hasPrefix("+") ? Int(rest.dropFirst()).flatMap { $0 > 0 ? $0 : nil } : nil
  }
}

/// A user's options for sbatch.
package struct SlurmOptions: Sendable, Hashable {
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
      throw .invalidOptions(text, reason: "a quote is not closed")
    }
    var mayBeValue = false
    for word in words {
      let name = Self.name(of: word)
      if let refused = Self.refused.first(where: { $0.names.contains(name) }) {
        throw .invalidOptions(text, reason: "\(name) cannot be set, as \(refused.reason)")
      }
      // sbatch would take it as the script.
      guard word != "--", word.hasPrefix("-") || mayBeValue else {
        throw .invalidOptions(text, reason: "'\(word)' is no option")
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
