internal import Bitstreams
internal import Glibc

/// Parameters for applying a gain map to red, green and blue. Source: ISO 21496-1 (2025), 5.2 and 6; Adobe Gain Map
/// Specification 1.0 for the names in XMP.
struct GainMapMetadata: Sendable, Hashable {
  /// log2 of the gain where the map is 0.
  var min: SIMD3<Double>
  /// log2 of the gain where the map is 1.
  var max: SIMD3<Double>
  /// Exponent used to encode the map.
  var gamma: SIMD3<Double>
  /// Added to the base picture before applying the gain, subtracted afterwards.
  var baseOffset: SIMD3<Double>
  var alternateOffset: SIMD3<Double>
  /// log2 of the display headroom of each rendition.
  var baseHeadroom: Double
  var alternateHeadroom: Double
  /// Whether the map is applied in the primaries of the base picture rather than of the alternate.
  var usesBaseColors: Bool
  /// Whether it is Apple's map: the gain itself, not its log2, rises from 1 in proportion to the map's light.
  var isLinear = false

  /// Stops beyond which values are considered damaged.
  private static let possibleStops = 32.0

  /// Whether the formula can be evaluated with these values.
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

extension GainMapMetadata {
  private static let auxiliaryType = "urn:com:apple:photo:2020:aux:hdrgainmap"

  /// A gain map as iPhones store it with their pictures.
  ///
  /// A map without a headroom has no effect. Source: Apple, "Applying Apple HDR effect to your photos".
  /// - Parameter base: The base picture, the fallback for the headroom.
  /// - Returns: nil if the packet does not describe such a map.
  init?(apple packet: XMPPacket, base: JPEGHeader) {
    guard let prefix = packet.prefix(of: "http://ns.apple.com/pixeldatainfo/1.0/"),
      packet.value("\(prefix):AuxiliaryImageType") == Self.auxiliaryType
    else { return nil }
    let stated = [packet, base.xmp.map { XMPPacket($0) }].lazy.compactMap { $0.flatMap(Self.headroom) }.first
    let headroom = stated ?? base.exif.flatMap(AppleMakerNote.init)?.headroom ?? 1
    self.init(
      min: SIMD3(), max: SIMD3(repeating: log2(headroom)), gamma: SIMD3(repeating: 1), baseOffset: SIMD3(),
      alternateOffset: SIMD3(), baseHeadroom: 0, alternateHeadroom: log2(headroom), usesBaseColors: true,
      isLinear: true)
    if !isPossible { return nil }
  }

  private static func headroom(_ packet: XMPPacket) -> Double? {
    packet.prefix(of: "http://ns.apple.com/HDRGainMap/1.0/").flatMap { packet.value("\($0):HDRGainMapHeadroom") }
      .flatMap { Double($0) }.flatMap { $0 >= 1 ? $0 : nil }
  }
}

/// Apple's maker note in a picture.
struct AppleMakerNote {
  /// Ratio of the brightest light to SDR white.
  let headroom: Double

  /// - Parameter exif: A TIFF structure.
  /// - Returns: nil if it has no such note, or the note states no headroom.
  init?(exif: ArraySlice<UInt8>) {
    let name = Array("Apple iOS".utf8)
    guard let note = TIFFDirectory(exif)?.directories(0x8769, limit: 1).first?.bytes(0x927C), note.starts(with: name)
    else { return nil }
    // A zero, a version and the byte order follow.
    guard let tags = TIFFDirectory(note, at: name.count + 5, isBigEndian: true),
      let range = tags.numbers(33)?.first, let gain = tags.numbers(48)?.first, range.isFinite, gain.isFinite
    else { return nil }
    // Source: Apple, "Applying Apple HDR effect to your photos", "Calculate the headroom".
    let stops =
      range < 1
      ? (gain <= 0.01 ? -20 * gain + 1.8 : -0.101 * gain + 1.601)
      : (gain <= 0.01 ? -70 * gain + 3 : -0.303 * gain + 2.303)
    headroom = exp2(max(stops, 0))
  }
}

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
    guard reader.next(UInt16.self) == 0, reader.next(UInt16.self) != nil, let flags = reader.next(UInt8.self)
    else { return nil }
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
