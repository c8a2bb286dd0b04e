internal import ColorScience
package import Frames
package import Media

/// Colour and light as stated by the chunks of a PNG file before its pixels.
///
/// Source: PNG (Third Edition, W3C, 2025), 11.3.2, "Colour space information".
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
  /// primaries nor transfer.
  ///
  /// Source: PNG (Third Edition), 4.3: cICP takes precedence over iCCP, that over sRGB, that over gAMA and cHRM.
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
}
