extension GainMapMetadata {
  private static let isMultichannel: UInt8 = 0x80
  private static let usesBaseColors: UInt8 = 0x40
  /// All fractions share a denominator, as in files of libultrahdr.
  private static let hasCommonDenominator: UInt8 = 0x08

  /// - Parameter binary: The segment after its name.
  /// - Returns: nil if it is truncated, of a later version or invalid, as in base pictures, which only state versions.
  /// Source: ISO 21496-1 (2025), annex C.2.
  init?(binary: ArraySlice<UInt8>) {
    var reader = ByteReader(binary)
    guard reader.next(UInt16.self) == 0, reader.next(UInt16.self) != nil, let flags = reader.next(UInt8.self) else {
      return nil
    }
    var common: UInt32?
    if flags & Self.hasCommonDenominator != 0 {
      guard let denominator = reader.next(UInt32.self) else { return nil }
      common = denominator
    }
    func fraction(_ numerator: Double?) -> Double? {
      guard let numerator, let denominator = common ?? reader.next(UInt32.self), denominator > 0 else { return nil }
      return numerator / Double(denominator)
    }
    func unsigned() -> Double? { fraction(reader.next(UInt32.self).map { Double($0) }) }
    func signed() -> Double? { fraction(reader.next(Int32.self).map { Double($0) }) }
    guard let base = unsigned(), let alternate = unsigned() else { return nil }
    var channels: [[Double]] = []
    for _ in 0..<(flags & Self.isMultichannel != 0 ? 3 : 1) {
      guard let min = signed(), let max = signed(), let gamma = unsigned(), let baseOffset = signed(),
        let alternateOffset = signed()
      else { return nil }
      channels.append([min, max, gamma, baseOffset, alternateOffset])
    }
    func vector(_ field: Int) -> SIMD3<Double> {
      SIMD3(channels[0][field], channels[channels.count / 2][field], channels[channels.count - 1][field])
    }
    self.init(
      min: vector(0), max: vector(1), gamma: vector(2), baseOffset: vector(3), alternateOffset: vector(4),
      baseHeadroom: base, alternateHeadroom: alternate, usesBaseColors: flags & Self.usesBaseColors != 0)
    if !isPossible { return nil }
  }
}
