/// A look-up table as the text of a `.cube` file.
///
/// Source: Adobe, Cube LUT Specification 1.0 (2013); with a shaper in the same file, the DaVinci Resolve variant, which
/// has input ranges instead of domains, no title, and the shaper's values first.
public struct CubeText: Sendable {
  /// ASCII without quotation marks.
  public let title: String
  /// ASCII lines that describe the table.
  public let comments: [String]

  /// Number of decimals: a tenth of a 16-bit step is 2e-6.
  static let digits = 7
  private static let unit = 1e7

  /// Creates a formatter; `title` and `comments` are ASCII, `title` without quotation marks.
  public init(title: String, comments: [String] = []) {
    self.title = title
    self.comments = comments
  }

  /// Formats a table over 0...1.
  public func text(_ table: SignalLUT.Table) -> String {
    let (keyword, size, values) =
      switch table {
      case .curve(let curve): ("LUT_1D_SIZE", curve.values.count, curve.values)
      case .cube(let cube): ("LUT_3D_SIZE", cube.size, cube.values)
      }
    return text(
      ["TITLE \"\(title)\""] + remarks(comments)
        + ["\(keyword) \(size)", "DOMAIN_MIN 0.0 0.0 0.0", "DOMAIN_MAX 1.0 1.0 1.0"], values)
  }

  /// Formats a cube with its shaper, in one file.
  public func text(_ cube: CubeTable, shaper: CurveTable) -> String {
    text(
      remarks([title] + comments) + [
        "LUT_1D_SIZE \(shaper.values.count)", "LUT_1D_INPUT_RANGE 0.0 1.0", "LUT_3D_SIZE \(cube.size)",
        "LUT_3D_INPUT_RANGE 0.0 1.0",
      ], shaper.values + cube.values)
  }

  private func remarks(_ lines: [String]) -> [String] { lines.map { "# " + $0 } }

  private func text(_ head: [String], _ values: [SIMD3<Double>]) -> String {
    var bytes = Array((head.joined(separator: "\n") + "\n").utf8)
    bytes.reserveCapacity(bytes.count + values.count * 3 * (Self.digits + 3))
    for value in values {
      for component in 0..<3 {
        Self.append(value[component], to: &bytes)
        bytes.append(UInt8(ascii: component < 2 ? " " : "\n"))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends "0.1234567".
  /// - Parameter value: 0...1.
  private static func append(_ value: Double, to bytes: inout [UInt8]) {
    var rest = Int((min(max(value, 0), 1) * unit).rounded())
    let point = bytes.count + 1
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits + 2))
    for index in stride(from: bytes.count - 1, to: point, by: -1) {
      bytes[index] += UInt8(rest % 10)
      rest /= 10
    }
    bytes[point - 1] += UInt8(rest)
    bytes[point] = UInt8(ascii: ".")
  }
}
