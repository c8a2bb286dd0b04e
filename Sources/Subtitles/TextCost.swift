internal import CASS
internal import Foundation

/// The text size of a style, in script units and percent.
struct TextSize {
  var font, across, down, border: Double

  init(_ style: ASS_Style) {
    // Style scales are fractions.
    unsafe (font, across, down) = (style.FontSize, style.ScaleX * 100, style.ScaleY * 100)
    unsafe border = style.Outline
  }

  /// Returns the maximum of both.
  func union(_ other: TextSize) -> TextSize {
    var result = self
    (result.font, result.across) = (max(font, other.font), max(across, other.across))
    (result.down, result.border) = (max(down, other.down), max(border, other.border))
    return result
  }
}

/// Estimates the number of pixels that libass draws for a line, which libass does not limit: every letter and drawing
/// is assumed to be as large as the maximum values in the line make it.
struct TextCost {
  private var size: TextSize
  private let all: TextSize
  private let scale: SIMD2<Double>
  private var shear = 0.0
  private var letters = 0
  private var drawings = 0.0
  /// 0: text mode; otherwise a drawing, whose coordinates are divided by 2 to the power of one less.
  private var drawingScale = 0

  /// - Parameters:
  ///   - text: Script text, including tags.
  ///   - all: Maximum over all styles, which the line may switch to.
  ///   - scale: Pixels per script unit.
  init(_ text: [UInt8], _ style: TextSize, all: TextSize, scale: SIMD2<Double>) {
    (size, self.all, self.scale) = (style, all, scale)
    var rest = text[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "{")), let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
    {
      add(rest[..<start])
      for tag in rest[start..<end].split(separator: UInt8(ascii: "\\")).dropFirst() { read(tag) }
      rest = rest[(end + 1)...]
    }
    add(rest)
  }

  /// Total number of pixels.
  var pixels: Double {
    let border = SIMD2(repeating: 2 * size.border) * scale
    let letter = SIMD2(size.across, size.down) / 100 * size.font * scale + border
    return Double(letters) * (letter.x + shear * letter.y) * letter.y + drawings
  }

  private mutating func add(_ text: ArraySlice<UInt8>) {
    guard drawingScale > 0 else {
      // UTF-8 continuation bytes are not counted as letters.
      letters += text.count { $0 & 0xC0 != 0x80 }
      return
    }
    var (minimum, maximum, isAcross) = (SIMD2<Double>(repeating: .infinity), SIMD2<Double>(repeating: -.infinity), true)
    for part in text.split(whereSeparator: { !"0123456789.+-eE".utf8.contains($0) }) {
      guard let value = Self.number(part) else { continue }
      let index = isAcross ? 0 : 1
      (minimum[index], maximum[index]) = (min(minimum[index], value), max(maximum[index], value))
      isAcross.toggle()
    }
    guard minimum.x <= maximum.x, minimum.y <= maximum.y else { return }
    let factor = SIMD2(size.across, size.down) / 100 * scale / pow(2, Double(drawingScale - 1))
    let extent = (maximum - minimum) * factor + SIMD2(repeating: 2 * size.border) * scale
    drawings += (extent.x + shear * extent.y) * extent.y
  }

  /// Reads a tag without its backslash: "fscx120", "t(0,500,".
  private mutating func read(_ tag: ArraySlice<UInt8>) {
    func value(of name: String) -> Double? {
      guard tag.starts(with: name.utf8) else { return nil }
      return Self.number(tag.dropFirst(name.utf8.count).prefix { $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: ",") })
    }
    if let across = value(of: "fscx") { size.across = max(size.across, across) }
    if let down = value(of: "fscy") { size.down = max(size.down, down) }
    if let font = value(of: "fs") {
      // A sign makes it relative, in tenths.
      let isRelative = tag.dropFirst(2).first.map { "+-".utf8.contains($0) } ?? false
      size.font = isRelative ? size.font * (1 + abs(font) / 10) : max(size.font, font)
    }
    for name in ["bord", "xbord", "ybord"] { size.border = max(size.border, abs(value(of: name) ?? 0)) }
    for name in ["fax", "fay"] { shear = max(shear, abs(value(of: name) ?? 0)) }
    if let power = value(of: "p") { drawingScale = Int(min(max(power, 0), 30)) }
    if tag.first == UInt8(ascii: "r") { size = size.union(all) }
  }

  /// Returns the number at the start of a text; at most a billion.
  private static func number(_ text: ArraySlice<UInt8>) -> Double? {
    // Parses numbers like libass: trailing text is ignored.
    let value = unsafe String(decoding: text, as: UTF8.self).withCString { start in
      var end: UnsafeMutablePointer<CChar>?
      let value = unsafe strtod(start, &end)
      return unsafe end.map { unsafe UnsafePointer($0) } == start ? nil : value
    }
    guard let value else { return nil }
    return value.isFinite ? min(max(value, -1e9), 1e9) : 1e9
  }
}

/// The maximum sum of weights of overlapping time spans.
struct OverlapSum {
  /// - Parameter spans: Half-open time spans; the end is excluded.
  /// - Returns: The first time that the sum exceeds a limit, and the number of spans there; nil: never.
  static func excess(
    of spans: [(start: Int64, end: Int64, weight: Double)], over limit: Double
  ) -> (time: Int64, count: Int)? {
    let (starts, ends) = (spans.sorted { $0.start < $1.start }, spans.sorted { $0.end < $1.end })
    var (sum, ended) = (0.0, 0)
    for (index, span) in starts.enumerated() {
      while ended < ends.count, ends[ended].end <= span.start {
        sum -= ends[ended].weight
        ended += 1
      }
      sum += span.weight
      if sum > limit { return (span.start, index + 1 - ended) }
    }
    return nil
  }
}
