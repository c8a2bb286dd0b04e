/// A directory of a TIFF structure with others below it, as Exif and DNG have them.
struct TIFFStructure {
  enum Field {
    case bytes([UInt8])
    case text(String)
    case shorts([Int])
    case longs([Int])
    case rationals([(Int, Int)])
    case signedRationals([(Int, Int)])
    case doubles([Double])
    case directory(TIFFStructure)
    /// Bytes after everything else, to which the entry refers by a 32-bit offset.
    case data([UInt8])
    /// A type, a number of values, and the four bytes after it.
    case raw(type: Int, count: Int, value: Int)
  }

  var fields: [Int: Field]
  var isBigEndian = false

  init(_ fields: [Int: Field], isBigEndian: Bool = false) {
    self.fields = fields
    self.isBigEndian = isBigEndian
  }

  /// The structure from its byte order on.
  var bytes: [UInt8] {
    (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + number(42, 2) + number(8, 4) + directory(at: 8, isBigEndian)
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] { Self.number(value, count, isBigEndian) }

  private static func number(_ value: Int, _ count: Int, _ isBigEndian: Bool) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  /// - Parameter start: Its offset from the start of the structure.
  private func directory(at start: Int, _ isBigEndian: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { Self.number(value, count, isBigEndian) }
    var entries = number(fields.count, 2)
    var rest: [UInt8] = []
    var last: (entry: Int, data: [UInt8])?
    let place = start + 2 + 12 * fields.count + 4
    for (tag, field) in fields.sorted(by: { $0.key < $1.key }) {
      entries += number(tag, 2)
      let end = place + rest.count
      switch field {
      case .directory(let below):
        entries += number(4, 2) + number(1, 4) + number(end, 4)
        rest += below.directory(at: end, isBigEndian)
      case .data(let data):
        entries += number(4, 2) + number(1, 4)
        last = (entries.count, data)
        entries += number(0, 4)
      case .raw(let type, let count, let value):
        entries += number(type, 2) + number(count, 4) + number(value, 4)
      default:
        let (type, count, bytes) = Self.values(field, isBigEndian)
        entries += number(type, 2) + number(count, 4)
        entries += bytes.count > 4 ? number(end, 4) : bytes + Array(repeating: 0, count: 4 - bytes.count)
        rest += bytes.count > 4 ? bytes : []
      }
    }
    if let last {
      entries.replaceSubrange(last.entry..<last.entry + 4, with: number(place + rest.count, 4))
      rest += last.data
    }
    return entries + number(0, 4) + rest
  }

  private static func values(_ field: Field, _ isBigEndian: Bool) -> (type: Int, count: Int, bytes: [UInt8]) {
    func pairs(_ pairs: [(Int, Int)]) -> [UInt8] {
      pairs.flatMap { number($0.0, 4, isBigEndian) + number($0.1, 4, isBigEndian) }
    }
    switch field {
    case .bytes(let values): return (1, values.count, values)
    case .text(let text): return (2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .shorts(let values): return (3, values.count, values.flatMap { number($0, 2, isBigEndian) })
    case .longs(let values): return (4, values.count, values.flatMap { number($0, 4, isBigEndian) })
    case .rationals(let values): return (5, values.count, pairs(values))
    case .signedRationals(let values): return (10, values.count, pairs(values))
    case .doubles(let values):
      return (12, values.count, values.flatMap { number(Int(bitPattern: UInt($0.bitPattern)), 8, isBigEndian) })
    case .directory, .data, .raw: return (0, 0, [])
    }
  }
}
