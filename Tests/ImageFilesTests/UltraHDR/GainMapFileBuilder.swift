import Foundation

/// JPEG files with a gain map, put together of two JPEG pictures.
struct GainMapFileBuilder {
  /// How the base picture says where the map is.
  enum Index: Sendable, CaseIterable {
    case multiPictureLittleEndian, multiPictureBigEndian, container
  }

  /// Numbers of each channel, in the order of the fields of ISO 21496-1.
  struct Numbers {
    var min: [Double]
    var max: [Double]
    var gamma: [Double]
    var baseOffset: [Double]
    var alternateOffset: [Double]
    var baseHeadroom: Double
    var alternateHeadroom: Double

    /// What the judge in Python reads.
    var arguments: [String] {
      [min, max, gamma, baseOffset, alternateOffset].map { values in
        [0, values.count / 2, values.count - 1].map { "\(values[$0])" }.joined(separator: ",")
      } + ["\(baseHeadroom)", "\(alternateHeadroom)"]
    }
  }

  var base: Data
  var map: Data
  var index = Index.multiPictureBigEndian
  /// A segment of the map with its metadata.
  var metadata: [UInt8]
  var profile: [UInt8]?

  static func segment(_ marker: UInt8, _ name: String, _ content: [UInt8]) -> [UInt8] {
    let payload = Array(name.utf8) + [0] + content
    return [0xFF, marker] + big(UInt16(payload.count + 2)) + payload
  }

  static func xmp(_ description: String) -> [UInt8] {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description \(description)</rdf:RDF></x:xmpmeta>
      """
    return segment(0xE1, "http://ns.adobe.com/xap/1.0/", Array(packet.utf8))
  }

  /// Source: ISO 21496-1 (2025), annex C.2: versions, flags, fractions.
  static func binary(_ numbers: Numbers, usesBaseColors: Bool, hasCommonDenominator: Bool = false) -> [UInt8] {
    let channels = numbers.min.count
    let flags: UInt8 =
      (channels == 3 ? 0x80 : 0) | (usesBaseColors ? 0x40 : 0) | (hasCommonDenominator ? 0x08 : 0)
    let denominator: UInt32 = 1 << 20
    func fraction(_ value: Double) -> [UInt8] {
      big(UInt32(bitPattern: Int32((value * Double(denominator)).rounded())))
        + (hasCommonDenominator ? [] : big(denominator))
    }
    var bytes: [UInt8] = [0, 0, 0, 0, flags] + (hasCommonDenominator ? big(denominator) : [])
    bytes += fraction(numbers.baseHeadroom) + fraction(numbers.alternateHeadroom)
    for channel in 0..<channels {
      bytes += [numbers.min, numbers.max, numbers.gamma, numbers.baseOffset, numbers.alternateOffset]
        .flatMap { fraction($0[channel]) }
    }
    return segment(0xE2, "urn:iso:std:iso:ts:21496:-1", bytes)
  }

  func data() -> Data {
    let map = [UInt8](self.map.prefix(2)) + metadata + [UInt8](self.map.dropFirst(2))
    let profile = self.profile.map { Self.segment(0xE2, "ICC_PROFILE", [1, 1] + $0) } ?? []
    if index == .container {
      let directory = """
        xmlns:Container="http://ns.google.com/photos/1.0/container/" \
        xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><Container:Directory><rdf:Seq>\
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>\
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Length="\(map.count)"/></rdf:li>\
        </rdf:Seq></Container:Directory></rdf:Description>
        """
      return base.prefix(2) + Data(profile + Self.xmp(directory)) + base.dropFirst(2) + Data(map)
    }
    let isBig = index == .multiPictureBigEndian
    func ordered<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] { isBig ? big(value) : big(value).reversed() }
    let indexByteCount = 58
    let start = 2 + profile.count + 8
    let mapOffset = base.count + profile.count + 8 + indexByteCount - start
    var bytes: [UInt8] = isBig ? [0x4D, 0x4D] : [0x49, 0x49]
    bytes += ordered(UInt16(42)) + ordered(UInt32(8)) + ordered(UInt16(1))
    bytes += ordered(UInt16(0xB002)) + ordered(UInt16(7)) + ordered(UInt32(32)) + ordered(UInt32(26))
    bytes += ordered(UInt32(0))
    bytes += [0x30000, UInt32(base.count), 0, 0].flatMap { ordered($0) }
    bytes += [0, UInt32(map.count), UInt32(mapOffset), 0].flatMap { ordered($0) }
    return base.prefix(2) + Data(profile + Self.segment(0xE2, "MPF", bytes)) + base.dropFirst(2) + Data(map)
  }
}

private func big<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
  (0..<Value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
