internal import ColorScience
package import Frames
package import Media

/// What the chunks of a PNG file before its pixels say about colour and light.
///
/// Source: PNG (Third Edition, W3C, 2025), 11.3.2, "Colour space information".
package struct PNGColor: Sendable, Hashable {
  /// By code points (cICP).
  package var codes: ColorTags?
  /// There is an ICC profile (iCCP), which takes precedence over `simple`.
  package var hasProfile = false
  /// By sRGB, or else by gAMA and cHRM.
  package var simple = ColorTags()
  /// Mastering display (mDCV) and content light (cLLI).
  package var metadata = HDRMetadata()

  /// What is to be said of a picture.
  package init(color: ColorDescription, metadata: HDRMetadata) {
    let tags = ColorTags(primaries: color.primaries, transfer: color.transfer, range: color.range)
    let isSRGB = color.primaries == .bt709 && color.transfer == .sRGB && color.range == .full
    if isSRGB { simple = tags } else { codes = tags }
    self.metadata = metadata
  }

  /// What a file says, by its chunks in front of the pixels; malformed ones are passed over.
  package init(_ chunks: [PNGChunk]) {
    var isSRGB = false
    for chunk in chunks {
      switch chunk.type {
      case "cICP": codes = Self.codes(chunk.data)
      case "iCCP": hasProfile = true
      case "sRGB": isSRGB = true
      case "gAMA": simple.transfer = Self.transfer(chunk.data)
      case "cHRM": simple.primaries = Self.primaries(chunk.data)
      // Drafts of the third edition spelled the two with a last letter in lower case.
      case "mDCV", "mDCv": metadata.masteringDisplay = MasteringDisplay(png: chunk.data)
      case "cLLI", "cLLi": metadata.contentLight = ContentLight(png: chunk.data)
      default: break
      }
    }
    if isSRGB { simple = ColorTags(primaries: .bt709, transfer: .sRGB) }
    // 4.3: samples are full range unless cICP says otherwise.
    simple.range = .full
  }

  /// What the file says over what FFmpeg took out of it. Where a profile decides there are neither primaries nor
  /// transfer.
  ///
  /// Source: PNG (Third Edition), 4.3: cICP takes precedence over iCCP, that over sRGB, that over gAMA and cHRM.
  func tags(over tags: ColorTags) -> ColorTags {
    if let codes { return codes.merged(over: tags) }
    guard hasProfile else { return simple.merged(over: tags) }
    var result = tags
    result.primaries = nil
    result.transfer = nil
    result.range = simple.range
    return result
  }

  /// Chunks that this type knows the meaning of, and the most bytes that it reads of one.
  package static let types: Set = ["cICP", "iCCP", "sRGB", "gAMA", "cHRM", "mDCV", "mDCv", "cLLI", "cLLi"]
  package static let longestChunk = 32
}
