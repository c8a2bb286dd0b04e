internal import Bitstreams
internal import ColorScience
internal import Frames
internal import Media

/// Colours, light and orientation from a picture's properties.
///
/// Source: ISO/IEC 23008-12 (HEIF), 6.5; ISO/IEC 14496-12, 12.1.5 to 12.1.7.
struct HEIFProperties {
  /// Code points; untagged if missing.
  private(set) var codes = ColorTags()
  private(set) var profile: ICCProfile?
  private(set) var metadata = HDRMetadata()
  /// Applied in this order.
  private(set) var turns: [Orientation] = []
  private(set) var isCropped = false

  init(_ properties: [HEIFBoxes.Box]) {
    for property in properties { read(property.type, property.content) }
  }

  private mutating func read(_ type: String, _ content: ArraySlice<UInt8>) {
    switch type {
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
    // Source: HEIF, 6.5.10: quarter turns counterclockwise.
    case "irot":
      let turns: [Orientation] = [.identity, .counterclockwise, .upsideDown, .clockwise]
      self.turns.append(turns[Int(content.first ?? 0) & 3])
    // Source: HEIF, 6.5.12: 0 exchanges top and bottom, 1 left and right.
    case "imir":
      let isSideways = content.first.map { $0 & 1 != 0 } ?? false
      turns.append(Orientation(swapsAxes: false, reversesColumns: isSideways, reversesRows: !isSideways))
    case "clap": isCropped = true
    default: break
    }
  }
}

extension MasteringDisplay {
  /// In the order green, blue, red, white, maximum, minimum, in the units of the SEI message; nil if truncated.
  fileprivate init?(mdcv content: ArraySlice<UInt8>) {
    guard let max = content.integer(at: 16, 4), let min = content.integer(at: 20, 4) else { return nil }
    let colors = (0..<4).map { index in
      Chromaticity(
        x: UInt16(content.integer(at: 4 * index, 2) ?? 0), y: UInt16(content.integer(at: 4 * index + 2, 2) ?? 0))
    }
    self.init(
      red: colors[2], green: colors[0], blue: colors[1], white: colors[3], maxLuminance: UInt32(max),
      minLuminance: UInt32(min))
  }
}
