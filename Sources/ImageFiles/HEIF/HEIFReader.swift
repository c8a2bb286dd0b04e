internal import ColorScience
internal import FFmpegIO
internal import Foundation
internal import Frames

/// Reads the primary picture of HEIC and AVIF files, grids of tiles included, with FFmpeg's decoders.
///
/// The file is taken apart here: FFmpeg 5.1 reads no HEIC, and libheif 1.15 gives samples only after a way through R'G'B'.
/// Source: ISO/IEC 23008-12 (HEIF); AV1 Image File Format 1.1.
public enum HEIFReader {
  /// The picture as it is coded, and how it is to be turned and mirrored.
  ///
  /// Code points of the file go before those of the coded picture, these before an ICC profile. Transparency is left out.
  /// - Throws: `ImageFileError.unreadable` where the file or a picture in it is damaged, `.unsupported`, `.outOfMemory`.
  public static func read(_ path: String) throws(ImageFileError) -> StillImage {
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
    }
    guard let items = HEIFItems([UInt8](data)) else {
      throw .unreadable(path: path, reason: "it is damaged, or no HEIC or AVIF")
    }
    let item = items.primary
    let properties = HEIFProperties(items.properties(of: item))
    let decoder = HEIFDecoder(items: items, path: path)
    var frame = try items.type(of: item) == "grid" ? decoder.grid(item) : decoder.picture(item)
    var notes: [String] = []
    if items.hasAlpha(item) { notes.append("Its transparency is left out.") }
    if properties.isCropped { notes.append("It is not cropped as it asks.") }
    frame = describe(frame, properties, &notes)
    let orientation = properties.turns.reduce(Orientation.identity) { $0.followed(by: $1) }
    let coded = items.type(of: item) == "grid" ? items.sources(of: item).first : item
    let codec = coded.flatMap(items.type) == "hvc1" ? "hevc" : "av1"
    return StillImage(formatName: "heif", codecName: codec, frame: frame, orientation: orientation, notes: notes)
  }

  private static func describe(
    _ frame: CodedFrame, _ properties: HEIFProperties, _ notes: inout [String]
  ) -> CodedFrame {
    let own = frame.color
    var tags = properties.codes.merged(
      over: ColorTags(
        primaryCode: Int(own.primaries.rawValue), transferCode: Int(own.transfer.rawValue),
        matrixCode: Int(own.matrix.rawValue), range: own.range, chromaLocation: own.chromaLocation))
    if tags.primaries == nil, tags.transfer == nil, let profile = properties.profile {
      if profile.tags == nil { notes.append(StillImage.note(unrecognized: profile)) }
      tags = tags.merged(over: profile.tags ?? ColorTags())
    }
    let result = CodedFrame(
      size: frame.size, layout: frame.layout, color: tags.description(for: frame.layout),
      metadata: properties.metadata.merged(over: frame.metadata))
    result.put(frame, x: 0, y: 0)
    return result
  }
}
