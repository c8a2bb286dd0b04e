internal import CASS
internal import Foundation

/// What a style makes of letters, in units of the script and percent.
struct TextSize {
  var font, across, down, border: Double

  init(_ style: ASS_Style) {
    // Scales of a style are shares.
    unsafe (font, across, down) = (style.FontSize, style.ScaleX * 100, style.ScaleY * 100)
    unsafe border = style.Outline
  }

  /// The largest of both.
  func union(_ other: TextSize) -> TextSize {
    var result = self
    (result.font, result.across) = (max(font, other.font), max(across, other.across))
    (result.down, result.border) = (max(down, other.down), max(border, other.border))
    return result
  }
}

/// Estimates how many pixels libass draws for a line, which it does not limit itself: every letter, and every drawing, is
/// a picture as large as the largest values of the line make it.
struct TextCost {
  private var size: TextSize
  private let all: TextSize
  private let scale: SIMD2<Double>
  private var shear = 0.0
  private var letters = 0
  private var drawings = 0.0
  /// 0: letters are drawn; otherwise coordinates are divided by 2 to the power of one less.
  private var drawingScale = 0

  /// - Parameters:
  ///   - text: As in the script, with its tags.
  ///   - style: That of the line.
  ///   - all: The largest of all styles, which a line may change to.
  ///   - scale: Pixels per unit of the script.
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

  /// Pixels of everything.
  var pixels: Double {
    let border = SIMD2(repeating: 2 * size.border) * scale
    let letter = SIMD2(size.across, size.down) / 100 * size.font * scale + border
    return Double(letters) * (letter.x + shear * letter.y) * letter.y + drawings
  }

  private mutating func add(_ text: ArraySlice<UInt8>) {
    guard drawingScale > 0 else {
      // Bytes that continue a letter are none of their own.
      letters += text.count { $0 & 0xC0 != 0x80 }
      return
    }
    var (least, most, isAcross) = (SIMD2<Double>(repeating: .infinity), SIMD2<Double>(repeating: -.infinity), true)
    for part in text.split(whereSeparator: { !"0123456789.+-eE".utf8.contains($0) }) {
      guard let value = Self.number(part) else { continue }
      let index = isAcross ? 0 : 1
      (least[index], most[index]) = (min(least[index], value), max(most[index], value))
      isAcross.toggle()
    }
    guard least.x <= most.x, least.y <= most.y else { return }
    let factor = SIMD2(size.across, size.down) / 100 * scale / pow(2, Double(drawingScale - 1))
    let extent = (most - least) * factor + SIMD2(repeating: 2 * size.border) * scale
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
      // With a sign it is relative, in tenths.
      let isRelative = tag.dropFirst(2).first.map { "+-".utf8.contains($0) } ?? false
      size.font = isRelative ? size.font * (1 + abs(font) / 10) : max(size.font, font)
    }
    for name in ["bord", "xbord", "ybord"] { size.border = max(size.border, abs(value(of: name) ?? 0)) }
    for name in ["fax", "fay"] { shear = max(shear, abs(value(of: name) ?? 0)) }
    if let power = value(of: "p") { drawingScale = Int(min(max(power, 0), 30)) }
    if tag.first == UInt8(ascii: "r") { size = size.union(all) }
  }

  /// The number that some text begins with; at most a billion.
  private static func number(_ text: ArraySlice<UInt8>) -> Double? {
    // As libass reads numbers: what follows does not count.
    let value = unsafe String(decoding: text, as: UTF8.self).withCString { start in
      var end: UnsafeMutablePointer<CChar>?
      let value = unsafe strtod(start, &end)
      return unsafe end.map { unsafe UnsafePointer($0) } == start ? nil : value
    }
    guard let value else { return nil }
    return value.isFinite ? min(max(value, -1e9), 1e9) : 1e9
  }
}

/// The largest sum of weights of spans of time that overlap.
struct OverlapSum {
  /// - Parameter spans: The end is not part of it.
  /// - Returns: When a sum first exceeds a limit, and how many spans it has there; nil: none does.
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
