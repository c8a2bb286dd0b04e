internal import ColorScience
internal import Files
internal import Foundation
package import Frames
package import Media

/// Colour and light as stated by the chunks of a PNG file before its pixels. Source: PNG (Third Edition, W3C, 2025),
/// 11.3.2, "Colour space information".
package struct PNGColor: Sendable, Hashable {
  /// Code points (cICP).
  package var codes: ColorTags?
  /// Whether there is an ICC profile (iCCP), which takes precedence over `simple`.
  package var hasProfile = false
  /// sRGB, or else gAMA and cHRM.
  package var simple = ColorTags()
  /// Mastering display (mDCV) and content light (cLLI).
  package var metadata = HDRMetadata()

  /// The colour of a picture to write.
  package init(color: ColorDescription, metadata: HDRMetadata) {
    let tags = ColorTags(primaries: color.primaries, transfer: color.transfer, range: color.range)
    let isSRGB = color.primaries == .bt709 && color.transfer == .sRGB && color.range == .full
    if isSRGB { simple = tags } else { codes = tags }
    self.metadata = metadata
  }

  /// The colour of a file, from the chunks before its pixels; malformed ones are ignored.
  package init(_ chunks: [PNGChunk]) {
    var isSRGB = false
    for chunk in chunks {
      switch chunk.type {
      case "cICP": codes = Self.codes(chunk.data)
      case "iCCP": hasProfile = true
      case "sRGB": isSRGB = true
      case "gAMA": simple.transfer = Self.transfer(chunk.data)
      case "cHRM": simple.primaries = Self.primaries(chunk.data)
      // Drafts of the third edition spelled these two with a lower-case last letter.
      case "mDCV", "mDCv": metadata.masteringDisplay = MasteringDisplay(png: chunk.data)
      case "cLLI", "cLLi": metadata.contentLight = ContentLight(png: chunk.data)
      default: break
      }
    }
    if isSRGB { simple = ColorTags(primaries: .bt709, transfer: .sRGB) }
    // 4.3: samples are full range unless cICP states otherwise.
    simple.range = .full
  }

  /// Whether an ICC profile determines the colour.
  package var isOfProfile: Bool { codes == nil && hasProfile }

  /// The file's colour merged over a decoder's interpretation. If a profile takes precedence, there are neither
  /// primaries nor transfer. Source: PNG (Third Edition), 4.3: cICP takes precedence over iCCP, that over sRGB, that
  /// over gAMA and cHRM.
  package func tags(over tags: ColorTags) -> ColorTags {
    if let codes { return codes.merged(over: tags) }
    guard hasProfile else { return simple.merged(over: tags) }
    var result = tags
    result.primaries = nil
    result.transfer = nil
    result.range = simple.range
    return result
  }

  /// Supported chunks, and the maximum number of bytes read of one.
  package static let types: Set = ["cICP", "iCCP", "sRGB", "gAMA", "cHRM", "mDCV", "mDCv", "cLLI", "cLLi"]
  package static let longestChunk = 32

  /// Maximum number of chunks before the pixels that are examined.
  private static let chunkLimit = 1000

  /// The colour of a regular file; nil if it is not a PNG file.
  package init?(path: String) {
    guard let file = FileHandle(systemName: path) else { return nil }
    let chunks = PNGChunks { range in
      guard (try? file.seek(toOffset: UInt64(range.lowerBound))) != nil else { return nil }
      return (try? file.read(upToCount: range.count)).map { Array($0) }
    }
    guard let chunks else { return nil }
    var found: [PNGChunk] = []
    for place in chunks.prefix(Self.chunkLimit).prefix(while: { $0.type != "IDAT" && $0.type != "IEND" })
    where Self.types.contains(place.type) {
      // A profile may be long, and only its presence matters.
      if place.type == "iCCP" {
        found.append(PNGChunk(place.type, []))
      } else if place.data.count <= Self.longestChunk, let chunk = chunks.chunk(at: place) {
        found.append(chunk)
      }
    }
    self.init(found)
  }

  /// The chunks to insert between IHDR and the pixels.
  package var chunks: [PNGChunk] {
    var result: [PNGChunk] = []
    if let codes, let primaries = codes.primaries, let transfer = codes.transfer,
      primaries != .unspecified, transfer != .unspecified
    {
      // 11.3.2.6: the matrix of R'G'B' is 0.
      result.append(
        PNGChunk("cICP", [primaries.rawValue, transfer.rawValue, 0, (codes.range ?? .full).rawValue]))
    }
    if let display = metadata.masteringDisplay { result.append(PNGChunk("mDCV", display.png)) }
    if let light = metadata.contentLight { result.append(PNGChunk("cLLI", light.png)) }
    // 11.3.2.5: 0 is the rendering intent "perceptual".
    if codes == nil, simple.transfer == .sRGB { result.append(PNGChunk("sRGB", [0])) }
    return result + fallback
  }

  /// gAMA and cHRM for older programs. They cannot represent PQ and HLG.
  private var fallback: [PNGChunk] {
    let tags = codes ?? simple
    guard tags.range == .full, let transfer = tags.transfer, let gamma = Self.gamma[transfer],
      let space = tags.primaries?.space
    else { return [] }
    let coordinates = [space.white, space.red, space.green, space.blue].flatMap { [$0.x, $0.y] }
    return [
      PNGChunk("gAMA", gamma.bigEndianBytes),
      PNGChunk("cHRM", coordinates.flatMap { UInt32(($0 * Self.unit).rounded()).bigEndianBytes }),
    ]
  }

  /// Units of gAMA and cHRM in 1.
  private static let unit: Double = 100_000
  /// The gAMA of a transfer function. Source: PNG (Third Edition), 11.3.2.2 and 11.3.2.5 (of sRGB).
  private static let gamma: [TransferCharacteristics: UInt32] = [
    .sRGB: 45_455, .gamma22: 45_455, .gamma28: 35_714, .linear: 100_000,
  ]

  static func codes(_ data: [UInt8]) -> ColorTags? {
    guard data.count == 4 else { return nil }
    return ColorTags(primaryCode: Int(data[0]), transferCode: Int(data[1]), range: VideoRange(rawValue: data[3]))
  }

  static func transfer(_ data: [UInt8]) -> TransferCharacteristics? {
    guard data.count == 4 else { return nil }
    let value = Double(data.word(at: 0))
    let known: [TransferCharacteristics] = [.gamma22, .gamma28, .linear]
    return known.first { transfer in gamma[transfer].map { abs(value - Double($0)) <= 100 } ?? false }
  }

  static func primaries(_ data: [UInt8]) -> ColorPrimaries? {
    guard data.count == 32 else { return nil }
    let points = (0..<4).map {
      Chromaticity(x: Double(data.word(at: 8 * $0)) / unit, y: Double(data.word(at: 8 * $0 + 4)) / unit)
    }
    return ColorPrimaries(RGBSpace(red: points[1], green: points[2], blue: points[3], white: points[0]))
  }
}

extension MasteringDisplay {
  /// From the data of mDCV, in the units of the SEI message; nil if the length is wrong. Source: PNG (Third Edition),
  /// 11.3.2.7: red, green, blue, white, maximum, minimum.
  init?(png data: [UInt8]) {
    guard data.count == 24 else { return nil }
    let colors = (0..<4).map { Chromaticity(x: data.halfWord(at: 4 * $0), y: data.halfWord(at: 4 * $0 + 2)) }
    self.init(
      red: colors[0], green: colors[1], blue: colors[2], white: colors[3], maxLuminance: data.word(at: 16),
      minLuminance: data.word(at: 20))
  }

  /// The data of mDCV.
  var png: [UInt8] {
    [red, green, blue, white].flatMap { $0.x.bigEndianBytes + $0.y.bigEndianBytes } + maxLuminance.bigEndianBytes
      + minLuminance.bigEndianBytes
  }
}

extension ContentLight {
  /// Units of cLLI in one cd/m². Source: PNG (Third Edition), 11.3.2.8.
  private static let pngUnits: UInt32 = 10_000

  /// From the data of cLLI, rounded up to whole cd/m²; nil if the length is wrong.
  init?(png data: [UInt8]) {
    guard data.count == 8 else { return nil }
    let nits = [0, 4].map { (UInt64(data.word(at: $0)) + UInt64(Self.pngUnits) - 1) / UInt64(Self.pngUnits) }
    self.init(maxCLL: UInt16(clamping: nits[0]), maxFALL: UInt16(clamping: nits[1]))
  }

  /// The data of cLLI.
  var png: [UInt8] {
    (UInt32(maxCLL) * Self.pngUnits).bigEndianBytes + (UInt32(maxFALL) * Self.pngUnits).bigEndianBytes
  }
}
