internal import Files

/// What a film's jobs are submitted with, kept in the work folder for the jobs that submit others.
public struct SlurmSettings: Codable, Hashable, Sendable {
  /// The path of the program that renders, on every machine.
  public var program: String
  /// The film, for the names of jobs.
  public var film: String
  /// The user's options for sbatch, as on a command line.
  public var options: String
  /// Chunks that may be rendered at once; nil: any number.
  public var limit: Int?
  /// Times that a chunk is tried, from 1.
  public var maximumTries: Int

  /// Settings of a film's jobs.
  public init(program: String, film: String, options: String = "", limit: Int? = nil, maximumTries: Int = 3) {
    (self.program, self.film, self.options) = (program, film, options)
    (self.limit, self.maximumTries) = (limit, maximumTries)
  }

  /// The most bytes that a file of settings may have.
  static let largest = 1 << 20
}

/// The names of a work folder's jobs, by which the queue is searched for them.
package struct SlurmNames: Sendable, Hashable {
  /// "film-0123456789abcdef", with a hash of the folder's path.
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

  /// The job that looks what is missing, and assembles the film when nothing is.
  package var assembly: String { common + "-assemble" }

  /// An array of chunks.
  package func pieces(offset: Int) -> String { common + "-pieces" + (offset > 0 ? "+\(offset)" : "") }

  /// The offset of an array by its name; nil if it is not an array of this folder.
  package func offset(of name: String) -> Int? {
    guard name.hasPrefix(common + "-pieces") else { return nil }
    let rest = name.dropFirst((common + "-pieces").count)
    return rest.isEmpty ? 0 : rest.hasPrefix("+") ? Int(rest.dropFirst()).flatMap { $0 > 0 ? $0 : nil } : nil
  }
}
