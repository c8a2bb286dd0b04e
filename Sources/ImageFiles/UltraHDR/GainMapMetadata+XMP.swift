extension GainMapMetadata {
  private static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"

  /// - Returns: nil where the packet does not describe a gain map, as in base pictures, or states what cannot be.
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
