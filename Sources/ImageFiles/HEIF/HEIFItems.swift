/// The items of a HEIF file: their types, the locations of their data, and their properties. Source: ISO/IEC 14496-12,
/// 8.11; ISO/IEC 23008-12 (HEIF), 9.3.
struct HEIFItems {
  private let file: [UInt8]
  /// Length of the file.
  var byteCount: Int { file.count }
  /// The boxes of the item information, by type.
  private let boxes: [String: ArraySlice<UInt8>]
  private let properties: [HEIFBoxes.Box]
  private let types: [Int: String]
  private let exifItems: [Int]
  /// One-based property indices, by item.
  private let associations: [Int: [Int]]
  private let locations: [Int: Location]
  /// The primary item.
  let primary: Int

  /// Where the data of an item are.
  private struct Location {
    /// Byte counts of the fields.
    struct Form {
      let index: Int
      let offset: Int
      let length: Int
      let base: Int

      var extentSize: Int { index + offset + length }
    }

    /// 0: from the start of the file; 1: in `idat`.
    let method: Int
    let base: Int
    let form: Form
    /// Start of the extents in `iloc`, and their number.
    let extents: Int
    let count: Int
  }

  /// Maximum number of items that are read: a grid has at most 65,536 tiles.
  private static let maxItems = 1 << 18

  /// - Returns: nil if the bytes are not a HEIF file, or are damaged.
  init?(_ file: [UInt8]) {
    guard let meta = HEIFBoxes(file[...]).first("meta")?.dropFirst(4) else { return nil }
    let boxes = Dictionary(HEIFBoxes(meta).map { ($0.type, $0.content) }, uniquingKeysWith: { first, _ in first })
    guard let main = boxes["pitm"], let primary = main.integer(at: 4, main.first == 0 ? 2 : 4),
      let all = boxes["iprp"].map({ HEIFBoxes($0) }), let container = all.first("ipco"), let places = boxes["iloc"]
    else { return nil }
    let types = Self.types(boxes["iinf"])
    self.types = Dictionary(types, uniquingKeysWith: { first, _ in first })
    exifItems = types.filter { $0.type == "Exif" }.map(\.item)
    // There may be a box for each version and index size.
    associations = all.filter { $0.type == "ipma" }.prefix(4).reduce(into: [:]) { result, box in
      result.merge(Self.associations(box.content), uniquingKeysWith: +)
    }
    locations = Self.locations(places)
    (self.file, self.boxes, self.primary) = (file, boxes, primary)
    properties = Array(HEIFBoxes(container))
  }

  /// The item type, four characters: "hvc1", "av01", "grid", ...
  func type(of item: Int) -> String? { types[item] }

  /// The types of the items. Source: ISO/IEC 14496-12, 8.11.6.
  private static func types(_ information: ArraySlice<UInt8>?) -> [(item: Int, type: String)] {
    guard let information else { return [] }
    let entries = HEIFBoxes(information.dropFirst(information.first == 0 ? 6 : 8)).prefix(maxItems)
    return entries.compactMap { entry in
      let identifier = entry.content.first == 2 ? 2 : 4
      guard entry.type == "infe", let item = entry.content.integer(at: 4, identifier),
        let type = entry.content.text(at: 6 + identifier)
      else { return nil }
      return (item, type)
    }
  }

  /// The properties in order of application. Source: HEIF, 9.3.1.
  func properties(of item: Int) -> [HEIFBoxes.Box] {
    (associations[item] ?? []).compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
  }

  /// One-based indices of the properties of each item in one `ipma`.
  private static func associations(_ box: ArraySlice<UInt8>) -> [Int: [Int]] {
    guard let version = box.integer(at: 0, 1), let flags = box.integer(at: 1, 3), let count = box.integer(at: 4, 4)
    else { return [:] }
    let (identifier, number) = (version == 0 ? 2 : 4, flags & 1 == 0 ? 1 : 2)
    var result: [Int: [Int]] = [:]
    var offset = 8
    for _ in 0..<min(count, maxItems) {
      guard let item = box.integer(at: offset, identifier), let size = box.integer(at: offset + identifier, 1)
      else { break }
      offset += identifier + 1
      if result[item] == nil {
        // The highest bit is a flag.
        result[item] = (0..<size).compactMap { box.integer(at: offset + number * $0, number) }.map {
          $0 & (number == 1 ? 0x7F : 0x7FFF)
        }
      }
      offset += number * size
    }
    return result
  }

  /// The source items of a derived item. Source: HEIF, 6.6.1; ISO/IEC 14496-12, 8.11.12.
  func sources(of item: Int) -> [Int] { references("dimg").first { $0.from == item }?.to ?? [] }

  /// The alpha item that belongs to an item. Source: HEIF, 6.6.2.1; MIAF, 7.3.5.
  func alpha(of item: Int) -> Int? {
    references("auxl").first { $0.to.contains(item) && kind(ofAuxiliary: $0.from)?.contains("alpha") == true }?.from
  }

  /// Whether the colours are premultiplied by alpha. Source: ISO/IEC 23000-22 (MIAF), 7.3.5.2: `prem`.
  func isPremultiplied(_ item: Int) -> Bool { references("prem").contains { $0.from == item } }

  /// Auxiliary picture types that are gain maps: Apple's and ISO 21496-1's.
  private static let gainMaps = ["urn:com:apple:photo:2020:aux:hdrgainmap", "urn:iso:std:iso:ts:21496:-1"]

  /// Whether the item has a gain map: an auxiliary picture, or a derived one ("tmap"). Source: ISO/IEC 23008-12 (HEIF),
  /// Amendment 1 (2024), for `tmap`.
  func hasGainMap(_ item: Int) -> Bool {
    types.values.contains("tmap")
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
    return (exifItems.first { described.contains($0) } ?? exifItems.first).flatMap(data(of:))
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

  /// The source of decoding; equal for items that decode to equal pictures.
  struct Coding: Hashable {
    fileprivate let type: String?
    fileprivate let properties: [Int]
    fileprivate let isInItemData: Bool
    fileprivate let extents: [Range<Int>]

    var byteCount: Int { extents.reduce(0) { $0 + $1.count } }
  }

  /// - Returns: nil if the data is not in this file.
  func coding(of item: Int) -> Coding? {
    guard let location = locations[item], location.method <= 1, let box = boxes["iloc"] else { return nil }
    let source = source(isInItemData: location.method == 1)
    var extents: [Range<Int>] = []
    var byteCount = 0
    for index in 0..<location.count {
      let offset = location.extents + location.form.extentSize * index + location.form.index
      guard let start = box.integer(at: offset, location.form.offset),
        let length = box.integer(at: offset + location.form.offset, location.form.length),
        case let (place, overflow) = location.base.addingReportingOverflow(start), !overflow, place <= source.count,
        length <= source.count - place, byteCount <= source.count
      else { return nil }
      extents.append(place..<(length == 0 ? source.count : place + length))
      byteCount += extents[index].count
    }
    return byteCount == 0
      ? nil
      : Coding(
        type: types[item], properties: associations[item] ?? [], isInItemData: location.method == 1, extents: extents)
  }

  /// The data of an item; nil if it is not in this file.
  func data(of item: Int) -> [UInt8]? {
    coding(of: item).map { coding in
      let source = source(isInItemData: coding.isInItemData)
      return coding.extents.flatMap { source.dropFirst($0.lowerBound).prefix($0.count) }
    }
  }

  private func source(isInItemData: Bool) -> ArraySlice<UInt8> { isInItemData ? boxes["idat"] ?? [] : file[...] }

  /// The locations of the items' data. Source: ISO/IEC 14496-12, 8.11.3.
  private static func locations(_ box: ArraySlice<UInt8>) -> [Int: Location] {
    guard let version = box.integer(at: 0, 1), version <= 2, let sizes = box.integer(at: 4, 2),
      let count = box.integer(at: 6, version < 2 ? 2 : 4)
    else { return [:] }
    let form = Location.Form(
      index: version == 0 ? 0 : sizes & 0xF, offset: sizes >> 12, length: sizes >> 8 & 0xF, base: sizes >> 4 & 0xF)
    guard [form.offset, form.length, form.base].allSatisfy({ $0 <= 8 }) else { return [:] }
    let (identifier, method) = (version < 2 ? 2 : 4, version == 0 ? 0 : 2)
    var result: [Int: Location] = [:]
    var offset = 6 + identifier
    for _ in 0..<min(count, maxItems) {
      let start = offset + identifier
      guard let item = box.integer(at: offset, identifier), let kind = box.integer(at: start, method),
        let base = box.integer(at: start + method + 2, form.base),
        let extents = box.integer(at: start + method + 2 + form.base, 2)
      else { break }
      offset = start + method + 4 + form.base
      if result[item] == nil {
        result[item] = Location(method: kind & 0xF, base: base, form: form, extents: offset, count: extents)
      }
      offset += form.extentSize * extents
    }
    return result
  }
}

/// The boxes inside a range of an ISO base media file; reads stay within the range. Source: ISO/IEC 14496-12, 4.2.
struct HEIFBoxes: Sequence, IteratorProtocol {
  struct Box {
    let type: String
    /// The bytes after the header.
    let content: ArraySlice<UInt8>
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> Box? {
    guard let short = rest.integer(at: 0, 4), let type = rest.text(at: 4) else { return nil }
    // 1: a 64-bit size follows; 0: to the end.
    let header = short == 1 ? 16 : 8
    guard let size = short == 1 ? rest.integer(at: 8, 8) : short == 0 ? rest.count : short, size >= header,
      size <= rest.count
    else { return nil }
    let box = rest.prefix(size)
    rest = rest.dropFirst(size)
    return Box(type: type, content: box.dropFirst(header))
  }

  /// Content of the first box of a type.
  func first(_ type: String) -> ArraySlice<UInt8>? { first { $0.type == type }?.content }
}

extension ArraySlice<UInt8> {
  /// The big-endian integer of `size` bytes, at most 8, at `offset` from the start; nil if it is out of bounds or does
  /// not fit.
  func integer(at offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, offset <= count - size else { return nil }
    return Int(exactly: dropFirst(offset).prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// The four characters at `offset`.
  func text(at offset: Int) -> String? {
    offset <= count - 4 ? String(decoding: dropFirst(offset).prefix(4), as: UTF8.self) : nil
  }
}
