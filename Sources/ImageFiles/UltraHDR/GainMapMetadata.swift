internal import Glibc

/// How a gain map is applied: parameters for red, green and blue.
///
/// Source: ISO 21496-1 (2025), 5.2 and 6; Adobe Gain Map Specification 1.0 for the names in XMP.
struct GainMapMetadata: Sendable, Hashable {
  /// log2 of the gain where the map is 0.
  var min: SIMD3<Double>
  /// log2 of the gain where the map is 1.
  var max: SIMD3<Double>
  /// Exponent that the map was coded with.
  var gamma: SIMD3<Double>
  /// Added to the base picture before applying the gain, subtracted afterwards.
  var baseOffset: SIMD3<Double>
  var alternateOffset: SIMD3<Double>
  /// log2 of the display headroom of each rendition.
  var baseHeadroom: Double
  var alternateHeadroom: Double
  /// The map is applied in the primaries of the base picture; otherwise in those of the alternate.
  var usesBaseColors: Bool

  /// Stops beyond which values are considered damaged.
  private static let possibleStops = 32.0

  /// The values do not make the formula fail.
  var isPossible: Bool {
    let vectors = [min, max, gamma, baseOffset, alternateOffset]
    let numbers = vectors.flatMap { [$0.x, $0.y, $0.z] } + [baseHeadroom, alternateHeadroom]
    return numbers.allSatisfy { abs($0) <= Self.possibleStops } && gamma.min() > 0
  }

  /// The maximum headroom of the picture, as a linear ratio.
  var largestHeadroom: Double { exp2(Swift.max(baseHeadroom, alternateHeadroom)) }

  /// The weight of the map; negative if the base is the brighter rendition.
  /// - Parameter headroom: Headroom of the display, as a linear ratio; nil: the picture's maximum.
  /// Source: ISO 21496-1 (2025), 6.3.
  func weight(headroom: Double?) -> Double {
    if alternateHeadroom == baseHeadroom { return 0 }
    let stops = log2(headroom ?? largestHeadroom)
    let share = Swift.min(Swift.max((stops - baseHeadroom) / (alternateHeadroom - baseHeadroom), 0), 1)
    return alternateHeadroom < baseHeadroom ? -share : share
  }
}

extension GainMapMetadata {
  private static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"

  /// - Returns: nil if the packet does not describe a gain map, as in base pictures, or is invalid.
  /// Source: Adobe Gain Map Specification 1.0, "Gain map metadata", with its defaults.
  init?(_ packet: XMPPacket) {
    guard let prefix = packet.prefix(of: Self.namespace) else { return nil }
    func vector(_ name: String, default: Double?) -> SIMD3<Double>? {
      guard let texts = packet.values("\(prefix):\(name)") else { return `default`.map { SIMD3(repeating: $0) } }
      let numbers = texts.compactMap { Double($0) }
      guard numbers.count == texts.count, numbers.count == 1 || numbers.count == 3 else { return nil }
      return SIMD3(numbers[0], numbers[numbers.count / 2], numbers[numbers.count - 1])
    }
    guard let max = vector("GainMapMax", default: nil), let min = vector("GainMapMin", default: 0),
      let gamma = vector("Gamma", default: 1), let offsetSDR = vector("OffsetSDR", default: 1.0 / 64),
      let offsetHDR = vector("OffsetHDR", default: 1.0 / 64), let low = vector("HDRCapacityMin", default: 0),
      let high = vector("HDRCapacityMax", default: nil)
    else { return nil }
    let isBaseHDR = packet.value("\(prefix):BaseRenditionIsHDR")?.lowercased() == "true"
    self.init(
      min: min, max: max, gamma: gamma, baseOffset: isBaseHDR ? offsetHDR : offsetSDR,
      alternateOffset: isBaseHDR ? offsetSDR : offsetHDR, baseHeadroom: isBaseHDR ? high.x : low.x,
      alternateHeadroom: isBaseHDR ? low.x : high.x, usesBaseColors: true)
    if !isPossible { return nil }
  }
}
