internal import Files
internal import Sessions

/// A text file that describes something: a calibration, a table of spectra, a report.
enum DescriptionFile {
  /// Maximum size in bytes.
  private static let maximumBytes = 8 << 20

  /// - Throws: `Refusal` if it cannot be read.
  static func bytes(of path: String) throws(Refusal) -> [UInt8] {
    do {
      return try SmallFile.bytes(of: path, upTo: maximumBytes)
    } catch {
      throw .failed("description-unreadable", "Cannot read '\(path)': \(error.description).")
    }
  }
}
