/// Why an ST 2094-50 payload is rejected.
public enum AdaptiveToneMapError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The payload ends before a field that its flags signal.
  case tooShort
  /// The payload requires a later version of the standard.
  case unsupportedVersion(Int)
  /// A constraint of clause 6 is violated.
  case invalid(String)

  public var description: String {
    switch self {
    case .tooShort: "it is truncated"
    case .unsupportedVersion(let version): "it has version \(version) of its syntax, and only 0 is known"
    case .invalid(let reason): reason
    }
  }
}

extension AdaptiveToneMap {
  /// Reads the binary encoding of annex C.
  /// - Parameter payload: The bytes after the three T.35 codes; bytes after the structure are ignored.
  /// - Throws: `AdaptiveToneMapError` if it is truncated, of another version or violates a constraint.
  /// Source: SMPTE ST 2094-50 (draft of 2026-02-23), C.2 for the syntax, 6.2.2 and 6.5.2 for the constraints.
  public init(payload: [UInt8]) throws(AdaptiveToneMapError) {
    var reader = BitReader(payload)
    _ = try reader.bits(3)
    let version = try reader.bits(3)
    guard version == 0 else { throw .unsupportedVersion(version) }
    _ = try reader.bits(2)
    let hasWhite = try reader.flag()
    let hasAdaptation = try reader.flag()
    _ = try reader.bits(6)
    codedReferenceWhite = hasWhite ? try reader.word() : nil
    adaptation = hasAdaptation ? try Adaptation(&reader) : nil
  }
}

extension AdaptiveToneMap.Adaptation {
  private static let maxAlternates = 4

  /// Source: C.2.3.
  fileprivate init(_ reader: inout BitReader) throws(AdaptiveToneMapError) {
    baselineHeadroom = try reader.word()
    if try reader.flag() {
      method = .referenceWhite
      return
    }
    let count = min(try reader.bits(3), Self.maxAlternates)
    let mode = try reader.bits(2)
    let (hasCommonMix, hasCommonCurve) = (try reader.flag(), try reader.flag())
    let space: AdaptiveToneMap.GainSpace
    switch mode {
    case 0: space = .bt709
    case 1: space = .displayP3
    case 2: space = .bt2020
    default: space = .custom(try reader.words(8))
    }
    var alternates: [AdaptiveToneMap.Alternate] = []
    for _ in 0..<count {
      let headroom = try reader.word()
      let first = alternates.first
      let mix: AdaptiveToneMap.Mix
      if hasCommonMix, let first { mix = first.mix } else { mix = try AdaptiveToneMap.Mix(&reader) }
      let curve = try AdaptiveToneMap.Curve(&reader, sharing: hasCommonCurve ? first?.curve : nil)
      alternates.append(AdaptiveToneMap.Alternate(headroom: headroom, mix: mix, curve: curve))
    }
    method = .alternates(alternates, space: space)
    try check()
  }

  /// Checks constraints that the types do not express. Source: 6.2.2, 6.5.2.
  func check() throws(AdaptiveToneMapError) {
    guard case .alternates(let alternates, let space) = method else { return }
    guard alternates.count <= Self.maxAlternates else { throw .invalid("it has more than four renditions") }
    if case .custom(let coordinates) = space, coordinates.count != 8 { throw .invalid("its gain space is incomplete") }
    for alternate in alternates {
      try alternate.mix.check()
      try alternate.curve.check()
    }
    let (headrooms, baseline) = (alternates.map { min($0.headroom, 60_000) }, min(baselineHeadroom, 60_000))
    guard zip(headrooms, headrooms.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw .invalid("the headrooms of its renditions are not in ascending order")
    }
    guard !headrooms.contains(baseline) else { throw .invalid("a rendition has the headroom of the content") }
  }
}

extension AdaptiveToneMap.Mix {
  private static let weightCount = 6

  /// Source: C.2.4.
  fileprivate init(_ reader: inout BitReader) throws(AdaptiveToneMapError) {
    let kind = try reader.bits(2)
    let flags = try reader.bits(Self.weightCount)
    switch kind {
    case 0: self = .maximum
    case 1: self = .component
    case 2: self = .luma
    default:
      var weights: [UInt16] = []
      for bit in (0..<Self.weightCount).reversed() { weights.append(flags >> bit & 1 == 1 ? try reader.word() : 0) }
      self = .custom(weights)
    }
  }

  fileprivate func check() throws(AdaptiveToneMapError) {
    guard case .custom(let weights) = self else { return }
    guard weights.count == Self.weightCount else { throw .invalid("a component mix is incomplete") }
    guard weights.contains(where: { $0 > 0 }) else { throw .invalid("all weights of a component mix are 0") }
  }
}

extension AdaptiveToneMap.Curve {
  /// - Parameter first: The curve that determines the number of points, their x and whether slopes are coded; nil reads
  ///   them.
  /// Source: C.2.5.
  fileprivate init(
    _ reader: inout BitReader, sharing first: AdaptiveToneMap.Curve?
  ) throws(AdaptiveToneMapError) {
    let (xs, hasSlopes): ([UInt16], Bool)
    if let first {
      (xs, hasSlopes) = (first.points.map(\.x), first.points.contains { $0.theta != nil })
    } else {
      let count = try reader.bits(5) + 1
      hasSlopes = try !reader.flag()
      _ = try reader.bits(2)
      xs = try reader.words(count)
    }
    let ys = try reader.words(xs.count)
    let thetas: [UInt16?] = hasSlopes ? try reader.words(xs.count) : xs.map { _ in nil }
    points = zip(xs, zip(ys, thetas)).map { Point(x: $0, y: $1.0, theta: $1.1) }
  }

  fileprivate func check() throws(AdaptiveToneMapError) {
    guard points.count <= 32 else { throw .invalid("a gain curve has more than 32 points") }
    guard zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x || $0.x == $1.x && $0.y == $1.y }) else {
      throw .invalid("the points of a gain curve are not in order")
    }
    // The gain approaches zero with the ratio of the last point's x to the input: an x of 0 would make every picture
    // black.
    guard points.last.map({ $0.x > 0 }) ?? false else { throw .invalid("a gain curve ends at 0") }
  }
}

/// Reads unsigned integers of any width, most significant bit first.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func bits(_ count: Int) throws(AdaptiveToneMapError) -> Int {
    guard position + count <= 8 * bytes.count else { throw .tooShort }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() throws(AdaptiveToneMapError) -> Bool { try bits(1) == 1 }

  mutating func word() throws(AdaptiveToneMapError) -> UInt16 { UInt16(try bits(16)) }

  mutating func words(_ count: Int) throws(AdaptiveToneMapError) -> [UInt16] {
    var result: [UInt16] = []
    for _ in 0..<count { result.append(try word()) }
    return result
  }
}
