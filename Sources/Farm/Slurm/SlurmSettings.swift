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
