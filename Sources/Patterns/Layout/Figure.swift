internal import Glibc

/// A number formatted for the caption of a patch: "0.005", "92.2", "10000".
///
/// Three significant digits, no more than three decimals where that leaves one, and no trailing zeros.
struct Figure: Sendable, CustomStringConvertible {
  let value: Double

  init(_ value: Double) { self.value = value }

  /// - Parameter exponent: Power of ten of the first digit.
  private static func decimals(_ exponent: Int) -> Int { max(min(2 - exponent, 3), -exponent, 0) }

  var description: String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    let size = abs(value)
    guard size >= 0.000_05 else { return "0" }
    let decimals = Self.decimals(Int(log10(size).rounded(.down)))
    let factor = (0..<decimals).reduce(1) { factor, _ in factor * 10 }
    let scaled = Int((size * Double(factor)).rounded())
    var fraction = String(scaled % factor + factor).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let whole = (value < 0 ? "-" : "") + String(scaled / factor)
    return decimals == 0 || fraction.isEmpty ? whole : whole + "." + fraction
  }
}
