internal import ColorScience

/// Spectra read from a table: each line has a wavelength followed by values.
public struct SpectralTable: Sendable, Hashable {
  /// Wavelengths in nanometres, ascending.
  public let wavelengths: [Double]
  /// The columns after the wavelengths; all values are at least 0.
  public let columns: [[Double]]

  /// The wavelength range that a table must cover, and its maximum step.
  private static let requiredRange = 400.0...700.0, largestStep = 20.0
  private static let possibleWavelengths = 100.0...10_000.0
  private static let maximumByteCount = 1 << 20
  /// How far measurements near zero may fall below it, as a fraction of the maximum.
  private static let tolerableNoise = 0.02

  /// Reads a table of comma-separated values; semicolons and tabs are separators too.
  ///
  /// Empty lines, lines that begin with #, and a header line are skipped.
  /// - Parameters:
  ///   - csv: The text.
  ///   - count: Number of columns after the wavelengths: 3 for a camera's R, G, B, 1 for a flash.
  /// - Throws: `CalibrationError`, which names the invalid line.
  public init(csv: String, columns count: Int) throws(CalibrationError) {
    guard csv.utf8.count <= Self.maximumByteCount else { throw .tooLarge(byteCount: csv.utf8.count) }
    let spectra = count == 1 ? CalibrationError.Spectra.flash : .camera
    let lines = try Self.lines(csv, count: count + 1, of: spectra)
    let wavelengths = lines.map { $0.values[0] }
    for (line, (before, after)) in zip(lines.dropFirst(), zip(wavelengths, wavelengths.dropFirst())) {
      if after <= before { throw .line(line.number, .order, of: spectra) }
    }
    try Self.check(wavelengths, of: spectra)
    var columns: [[Double]] = []
    for index in 0..<count {
      let values = lines.map { $0.values[index + 1] }
      let largest = values.max() ?? 0
      for (line, value) in zip(lines, values) where value < -Self.tolerableNoise * max(largest, 0) {
        throw .line(line.number, .range, of: spectra)
      }
      guard largest > 0 else { throw .emptyColumn(index + 1, of: spectra) }
      columns.append(values.map { max($0, 0) })
    }
    (self.wavelengths, self.columns) = (wavelengths, columns)
  }

  /// Returns a column at the wavelengths of `CIE1931Observer`, interpolated linearly; 0 outside the table.
  func resampled(_ column: Int) -> [Double] {
    let values = columns[column]
    var upper = 0
    return CIE1931Observer.wavelengths.map { wavelength in
      let place = Double(wavelength)
      while upper < wavelengths.count, wavelengths[upper] < place { upper += 1 }
      guard upper < wavelengths.count else { return 0 }
      if wavelengths[upper] == place { return values[upper] }
      guard upper > 0 else { return 0 }
      let share = (place - wavelengths[upper - 1]) / (wavelengths[upper] - wavelengths[upper - 1])
      return values[upper - 1] + share * (values[upper] - values[upper - 1])
    }
  }

  private typealias Line = (number: Int, values: [Double])

  private static func lines(
    _ csv: String, count: Int, of spectra: CalibrationError.Spectra
  ) throws(CalibrationError) -> [Line] {
    var (result, isFirst): ([Line], Bool) = ([], true)
    // Strips the byte order mark.
    let text = csv.unicodeScalars.first == "\u{FEFF}" ? csv.dropFirst() : csv[...]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let fields = line.split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" || $0 == "\t" }.map(trimmed)
      if fields.allSatisfy(\.isEmpty) || fields[0].hasPrefix("#") { continue }
      let isHeader = isFirst && Double(fields[0]) == nil
      isFirst = false
      if isHeader { continue }
      result.append((index + 1, try values(fields, line: index + 1, count: count, of: spectra)))
    }
    return result
  }

  private static func values(
    _ fields: [String], line: Int, count: Int, of spectra: CalibrationError.Spectra
  ) throws(CalibrationError) -> [Double] {
    guard fields.count == count else { throw .line(line, .columns, of: spectra) }
    var result: [Double] = []
    for field in fields {
      guard let value = Double(field) else { throw .line(line, .number, of: spectra) }
      guard value.isFinite, value.magnitude < 1e12 else { throw .line(line, .range, of: spectra) }
      result.append(value)
    }
    guard possibleWavelengths.contains(result[0]) else { throw .line(line, .range, of: spectra) }
    return result
  }

  private static func trimmed(_ field: Substring) -> String {
    var field = field.drop { $0.isWhitespace || $0 == "\"" }
    while let last = field.last, last.isWhitespace || last == "\"" { field.removeLast() }
    return String(field)
  }

  private static func check(_ wavelengths: [Double], of spectra: CalibrationError.Spectra) throws(CalibrationError) {
    guard let first = wavelengths.first, let last = wavelengths.last, first <= requiredRange.lowerBound,
      last >= requiredRange.upperBound
    else { throw .wavelengths(of: spectra) }
    for (before, after) in zip(wavelengths, wavelengths.dropFirst())
    where after > requiredRange.lowerBound && before < requiredRange.upperBound && after - before > largestStep {
      throw .wavelengths(of: spectra)
    }
  }
}
