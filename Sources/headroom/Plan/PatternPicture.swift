internal import ColorScience
internal import ImageFiles
internal import Patterns

/// How a pattern is written as a picture.
struct PatternPicture {
  let signal: PatternSignal
  let space: ImageSpace
  private(set) var warnings: [String] = []

  /// - Throws: `CommandFailure` where the format or the space cannot hold the pattern, with what would work.
  init(
    _ pattern: TestPattern, _ kind: PatternSignal.Kind, _ format: ImageFormat, _ options: PatternOptions
  ) throws {
    let fitting = format.spaces.filter { Self.holds($0, kind) }
    guard
      let usual = fitting.first(where: { $0.transfer != .linear })
        ?? fitting.first(where: { $0.primaries == PatternSignal(kind).primaries })
    else { throw CommandFailure("\(format.rawValue) does not hold \(kind.words).", .usage) }
    space = options.space ?? usual
    guard fitting.contains(space) else {
      throw CommandFailure(
        "\(kind.words) as \(format.rawValue) takes --space \(fitting.map(\.name).joined(separator: ", ")), not "
          + "\(space.name).", .usage)
    }
    if let bitDepth = options.bitDepth, space.isLinear || !format.bitDepths.contains(bitDepth) {
      let depths = format.bitDepths.map(String.init).joined(separator: ", ")
      throw CommandFailure(
        depths.isEmpty || space.isLinear
          ? "--bit-depth is not for \(format.rawValue)\(space.isLinear ? " of light" : ""): leave it out."
          : "\(format.rawValue) takes --bit-depth \(depths), not \(bitDepth).", .usage)
    }
    let depth = space.isLinear ? 16 : options.bitDepth ?? format.bitDepths.first ?? 10
    guard depth >= pattern.leastBitDepth else {
      throw CommandFailure("\(pattern.name) needs \(pattern.leastBitDepth) bits: choose another --bit-depth.", .usage)
    }
    let hasFullRange = pattern.ranges.contains(.full)
    // Patterns that are defined by code values of narrow range keep their levels; what lies outside of them is cut.
    signal = PatternSignal(kind, range: hasFullRange ? .full : .narrow, bitDepth: hasFullRange ? depth : min(depth, 12))
    if !hasFullRange, !space.isLinear {
      warnings.append(
        "Pictures have full range: levels below 0 % and above 100 %, which \(pattern.name) has, are cut off.")
    }
  }

  /// Spaces whose codes are the pattern's own signal, or light.
  private static func holds(_ space: ImageSpace, _ kind: PatternSignal.Kind) -> Bool {
    switch kind {
    case .hdr10: space.isLinear || space == .bt2100PQ
    case .hlg: space.isLinear || space == .bt2100HLG
    case .sdr: space.isLinear || space == .sRGB
    }
  }
}
