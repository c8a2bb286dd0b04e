internal import ColorScience
internal import ImageFiles
internal import Patterns

/// The picture form of a pattern.
struct PatternPicture {
  let signal: PatternSignal
  let space: ImageSpace
  private(set) var warnings: [Message] = []

  /// - Throws: `Refusal` if the format or the space cannot hold the pattern, with what would work.
  init(
    _ pattern: TestPattern, _ kind: PatternSignal.Kind, _ format: ImageFormat, _ request: PatternRequest
  ) throws(Refusal) {
    let fitting = format.spaces.filter { Self.holds($0, kind) }
    let preferred =
      fitting.first { $0.transfer != .linear } ?? fitting.first { $0.primaries == PatternSignal(kind).primaries }
    space = request.space ?? preferred ?? .linearBT2020
    guard fitting.contains(space) else {
      if fitting.isEmpty {
        throw .invalid(
          "pattern-format-unsupported",
          "\(format.rawValue) cannot hold \(kind.title): choose video, or linear light in exr or tiff.")
      }
      let names = fitting.map(\.name).joined(separator: ", ")
      throw .invalid(
        "pattern-space-unsupported",
        "\(kind.title) as \(format.rawValue) takes \(.space, names), not \(space.name).")
    }
    if let bitDepth = request.bitDepth, space.isLinear || !format.bitDepths.contains(bitDepth) {
      throw .invalid(.bitDepth(bitDepth, format, isLinear: space.isLinear))
    }
    let depth = space.isLinear ? 16 : request.bitDepth ?? format.bitDepths.first ?? 10
    guard depth >= pattern.minimumBitDepth else {
      throw .invalid(
        "pattern-needs-picture-bits",
        "\(pattern.name) needs \(pattern.minimumBitDepth.counting("bit")): choose another \(.bitDepth).")
    }
    let hasFullRange = pattern.ranges.contains(.full)
    // Patterns defined by limited-range code values keep their levels; levels outside the range are clipped.
    signal = PatternSignal(kind, range: hasFullRange ? .full : .narrow, bitDepth: hasFullRange ? depth : min(depth, 12))
    if !hasFullRange, !space.isLinear {
      let text: MessageText =
        "Pictures are full range: levels below 0 % and above 100 %, which \(pattern.name) has, are clipped."
      warnings.append(Message("pattern-levels-clipped", text))
    }
  }

  /// Returns whether code values of the space are the pattern's signal, rather than light.
  private static func holds(_ space: ImageSpace, _ kind: PatternSignal.Kind) -> Bool {
    switch kind {
    case .hdr10: space.isLinear || space == .bt2100PQ
    case .hlg: space.isLinear || space == .bt2100HLG
    case .sdr, .sRGB: space.isLinear || space == .sRGB
    case .bt601x525, .bt601x625: space.isLinear
    }
  }
}
