/// The items of a HEIF file: their types, the locations of their data, and their properties.
///
/// Source: ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12 (HEIF), 9.3.
struct HEIFItems {
  private let file: [UInt8]
  /// The boxes of the item information, by type.
  private let boxes: [String: ArraySlice<UInt8>]
  private let properties: [HEIFBoxes.Box]
  /// Item property associations; there may be a box for each version.
  private let associations: [ArraySlice<UInt8>]
  /// The primary item.
  let primary: Int

  /// - Returns: nil if the bytes are not a HEIF file, or damaged.
  init?(_ file: [UInt8]) {
    guard let meta = HEIFBoxes(file[...]).first("meta")?.dropFirst(4) else { return nil }
    let boxes = Dictionary(HEIFBoxes(meta).map { ($0.type, $0.content) }, uniquingKeysWith: { first, _ in first })
    guard let main = boxes["pitm"], let primary = main.integer(at: 4, main.first == 0 ? 2 : 4),
      let all = boxes["iprp"].map({ HEIFBoxes($0) }), let container = all.first("ipco"), boxes["iloc"] != nil
    else { return nil }
    associations = all.filter { $0.type == "ipma" }.map(\.content)
    self.file = file
    self.boxes = boxes
    self.primary = primary
    properties = Array(HEIFBoxes(container))
  }

  /// Four characters: "hvc1", "av01", "grid", ... Source: ISO/IEC 14496-12, 8.11.6.
  func type(of item: Int) -> String? {
    entries.first { $0.item == item }?.type
  }

  private var entries: [(item: Int, type: String)] {
    guard let information = boxes["iinf"] else { return [] }
    return HEIFBoxes(information.dropFirst(information.first == 0 ? 6 : 8)).compactMap { entry in
      let identifier = entry.content.first == 2 ? 2 : 4
      guard entry.type == "infe", let item = entry.content.integer(at: 4, identifier),
        let type = entry.content.text(at: 6 + identifier)
      else { return nil }
      return (item, type)
    }
  }

  /// In order of application. Source: HEIF, 9.3.1.
  func properties(of item: Int) -> [HEIFBoxes.Box] {
    associations.flatMap { properties(of: item, in: $0) }
  }

  private func properties(of item: Int, in association: ArraySlice<UInt8>) -> [HEIFBoxes.Box] {
    guard let version = association.integer(at: 0, 1),
      let flags = association.integer(at: 1, 3), let count = association.integer(at: 4, 4)
    else { return [] }
    let (identifier, number) = (version == 0 ? 2 : 4, flags & 1 == 0 ? 1 : 2)
    var offset = 8
    for _ in 0..<count {
      guard let current = association.integer(at: offset, identifier),
        let size = association.integer(at: offset + identifier, 1)
      else { return [] }
      offset += identifier + 1
      if current == item {
        // One-based indices; their highest bit is a flag.
        let numbers = (0..<size).compactMap { association.integer(at: offset + number * $0, number) }
        return numbers.map { $0 & (number == 1 ? 0x7F : 0x7FFF) }.compactMap {
          properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil
        }
      }
      offset += number * size
    }
    return []
  }

  /// The items that an item is derived from. Source: HEIF, 6.6.1; ISO/IEC 14496-12, 8.11.12.
  func sources(of item: Int) -> [Int] { references("dimg").first { $0.from == item }?.to ?? [] }

  /// The alpha item of an item. Source: HEIF, 6.6.2.1; MIAF, 7.3.5.
  func alpha(of item: Int) -> Int? {
    references("auxl").first { $0.to.contains(item) && kind(ofAuxiliary: $0.from)?.contains("alpha") == true }?.from
  }

  /// Its colours are premultiplied by alpha. Source: ISO/IEC 23000-22 (MIAF), 7.3.5.2: `prem`.
  func isPremultiplied(_ item: Int) -> Bool { references("prem").contains { $0.from == item } }

  /// Types of auxiliary pictures that are gain maps: Apple's, and that of ISO 21496-1.
  private static let gainMaps = ["urn:com:apple:photo:2020:aux:hdrgainmap", "urn:iso:std:iso:ts:21496:-1"]

  /// The item has a gain map: an auxiliary picture, or a derived one ("tmap").
  ///
  /// Source: ISO/IEC 23008-12 (HEIF), Amendment 1 (2024), for `tmap`.
  func hasGainMap(_ item: Int) -> Bool {
    entries.contains { $0.type == "tmap" }
      || auxiliaryKinds(of: item).contains { kind in Self.gainMaps.contains { kind.hasPrefix($0) } }
  }

  /// The types of an item's auxiliary pictures, from their `auxC`.
  private func auxiliaryKinds(of item: Int) -> [String] {
    references("auxl").filter { $0.to.contains(item) }.compactMap { kind(ofAuxiliary: $0.from) }
  }

  private func kind(ofAuxiliary item: Int) -> String? {
    properties(of: item).first { $0.type == "auxC" }.map { String(decoding: $0.content.dropFirst(4), as: UTF8.self) }
  }

  /// The Exif item of the primary item: an offset, then the metadata. Source: HEIF, 6.8, annex A.2.
  var exif: [UInt8]? {
    let described = Set(references("cdsc").filter { $0.to.contains(primary) }.map(\.from))
    let items = entries.filter { $0.type == "Exif" }.map(\.item)
    return (items.first { described.contains($0) } ?? items.first).flatMap(data(of:))
  }

  private func references(_ type: String) -> [(from: Int, to: [Int])] {
    guard let all = boxes["iref"] else { return [] }
    let identifier = all.first == 0 ? 2 : 4
    return HEIFBoxes(all.dropFirst(4)).filter { $0.type == type }.compactMap { reference in
      guard let from = reference.content.integer(at: 0, identifier),
        let count = reference.content.integer(at: identifier, 2)
      else { return nil }
      return (
        from, (0..<count).compactMap { reference.content.integer(at: identifier * (1 + $0) + 2, identifier) }
      )
    }
  }

  /// The data of an item; nil if they are not in this file. Source: ISO/IEC 14496-12, 8.11.3.
  func data(of item: Int) -> [UInt8]? {
    guard let location = boxes["iloc"], let version = location.integer(at: 0, 1), version <= 2,
      let sizes = location.integer(at: 4, 2), let count = location.integer(at: 6, version < 2 ? 2 : 4)
    else { return nil }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 0xF, sizes >> 4 & 0xF)
    guard [offsetSize, lengthSize, baseSize].allSatisfy({ $0 <= 8 }) else { return nil }
    let identifier = version < 2 ? 2 : 4
    let (methodSize, indexSize) = version == 0 ? (0, 0) : (2, sizes & 0xF)
    var offset = 6 + identifier
    for _ in 0..<count {
      guard let current = location.integer(at: offset, identifier),
        let method = location.integer(at: offset + identifier, methodSize),
        let base = location.integer(at: offset + identifier + methodSize + 2, baseSize),
        let extents = location.integer(at: offset + identifier + methodSize + 2 + baseSize, 2)
      else { return nil }
      offset += identifier + methodSize + 4 + baseSize
      let extentSize = indexSize + offsetSize + lengthSize
      if current == item {
        let source = method & 0xF == 0 ? file[...] : method & 0xF == 1 ? boxes["idat"] ?? [] : []
        var data: [UInt8] = []
        for extent in 0..<extents {
          guard let start = location.integer(at: offset + extentSize * extent + indexSize, offsetSize),
            let length = location.integer(at: offset + extentSize * extent + indexSize + offsetSize, lengthSize),
            case let (place, overflow) = base.addingReportingOverflow(start), !overflow, place <= source.count,
            length <= source.count - place, data.count <= source.count
          else { return nil }
          data += source.dropFirst(place).prefix(length == 0 ? source.count : length)
        }
        return data.isEmpty ? nil : data
      }
      offset += extentSize * extents
    }
    return nil
  }
}
