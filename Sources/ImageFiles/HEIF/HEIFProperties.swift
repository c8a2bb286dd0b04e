internal import ColorScience
internal import FFmpegIO
internal import Frames

/// What the properties of a file's primary picture say; libheif 1.15 gives neither the chroma format nor all colours.
///
/// Source: ISO/IEC 23008-12 (HEIF), 6.5 and 9.3; ISO/IEC 14496-12, 12.1.5 to 12.1.7.
struct HEIFProperties {
  /// How the chroma of the coded picture is subsampled; nil where the codec is none of HEVC and AV1.
  private(set) var components: PixelLayout.Components?
  /// Code points; no tags where there are none.
  private(set) var codes = ColorTags()
  private(set) var profile: ICCProfile?
  private(set) var metadata = HDRMetadata()

  /// - Parameter file: A whole file; where it is damaged, what can be found is.
  init(_ file: [UInt8]) {
    guard let meta = HEIFBoxes(file[...]).first("meta")?.dropFirst(4) else { return }
    let boxes = HEIFBoxes(meta)
    guard let primary = boxes.first("pitm").flatMap({ $0.integer(at: 4, $0.first == 0 ? 2 : 4) }),
      let all = boxes.first("iprp").map({ HEIFBoxes($0) }), let container = all.first("ipco"),
      let association = all.first("ipma")
    else { return }
    let properties = Array(HEIFBoxes(container))
    func of(_ item: Int) -> [HEIFBoxes.Box] {
      Self.numbers(item, association).compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
    }
    for property in of(primary) { read(property) }
    // A grid has the codec of its tiles.
    if components == nil, let tile = boxes.first("iref").flatMap({ Self.source(of: primary, $0) }) {
      components = of(tile).lazy.compactMap(Self.components).first
    }
  }

  /// Numbers of the properties of an item, from 1. Source: HEIF, 9.3.1.
  private static func numbers(_ item: Int, _ association: ArraySlice<UInt8>) -> [Int] {
    guard let version = association.integer(at: 0, 1), let flags = association.integer(at: 1, 3),
      let count = association.integer(at: 4, 4)
    else { return [] }
    let (identifier, number) = (version == 0 ? 2 : 4, flags & 1 == 0 ? 1 : 2)
    var offset = 8
    for _ in 0..<count {
      guard let current = association.integer(at: offset, identifier),
        let size = association.integer(at: offset + identifier, 1)
      else { return [] }
      let start = offset + identifier + 1
      if current == item {
        // The highest bit is no part of the number.
        return (0..<size).compactMap {
          association.integer(at: start + number * $0, number).map { $0 & (number == 1 ? 0x7F : 0x7FFF) }
        }
      }
      offset = start + number * size
    }
    return []
  }

  /// The first picture that an item is derived from. Source: HEIF, 6.4.4; ISO/IEC 14496-12, 8.11.12.
  private static func source(of item: Int, _ references: ArraySlice<UInt8>) -> Int? {
    let identifier = references.first == 0 ? 2 : 4
    for reference in HEIFBoxes(references.dropFirst(4)) where reference.type == "dimg" {
      if reference.content.integer(at: 0, identifier) == item {
        return reference.content.integer(at: identifier + 2, identifier)
      }
    }
    return nil
  }

  private mutating func read(_ property: HEIFBoxes.Box) {
    let content = property.content
    switch property.type {
    case "av1C", "hvcC": components = Self.components(property)
    case "colr" where content.text(at: 0) == "nclx":
      guard let primaries = content.integer(at: 4, 2), let transfer = content.integer(at: 6, 2),
        let matrix = content.integer(at: 8, 2), let range = content.integer(at: 10, 1)
      else { return }
      codes = ColorTags(
        primaryCode: primaries, transferCode: transfer, matrixCode: matrix, range: range & 0x80 != 0 ? .full : .narrow)
    case "colr": profile = ICCProfile(Array(content.dropFirst(4)))
    case "clli":
      guard let maximum = content.integer(at: 0, 2), let average = content.integer(at: 2, 2) else { return }
      metadata.contentLight = ContentLight(maxCLL: UInt16(maximum), maxFALL: UInt16(average))
    case "mdcv": metadata.masteringDisplay = MasteringDisplay(mdcv: content)
    default: break
    }
  }

  /// Source: AV1 Codec ISO Media File Format Binding 1.2, 2.3.3; ISO/IEC 14496-15, 8.3.3.1.2. Grey is taken for 4:2:0.
  private static func components(_ property: HEIFBoxes.Box) -> PixelLayout.Components? {
    switch property.type {
    case "av1C":
      guard let flags = property.content.integer(at: 2, 1) else { return nil }
      if flags & 0x10 != 0 { return .ycbcr420 }
      return flags & 0b1000 == 0 ? .ycbcr444 : flags & 0b100 == 0 ? .ycbcr422 : .ycbcr420
    case "hvcC":
      guard let format = property.content.integer(at: 16, 1) else { return nil }
      return [.ycbcr420, .ycbcr420, .ycbcr422, .ycbcr444][format & 3]
    default: return nil
    }
  }
}

extension MasteringDisplay {
  /// In the order green, blue, red, white, the maximum, the minimum, in the units of the SEI message; nil where it
  /// breaks off.
  fileprivate init?(mdcv content: ArraySlice<UInt8>) {
    guard content.count >= 24, let max = content.integer(at: 16, 4), let min = content.integer(at: 20, 4) else {
      return nil
    }
    let colors = (0..<4).map { index in
      Chromaticity(
        x: UInt16(content.integer(at: 4 * index, 2) ?? 0), y: UInt16(content.integer(at: 4 * index + 2, 2) ?? 0))
    }
    self.init(
      red: colors[2], green: colors[0], blue: colors[1], white: colors[3], maxLuminance: UInt32(max),
      minLuminance: UInt32(min))
  }
}
