internal import FFmpegIO
internal import Frames

/// Decodes the items of a HEIF file.
struct HEIFDecoder {
  let items: HEIFItems
  let path: String

  /// A picture that is coded by itself.
  /// - Parameter threads: Of its decoder; 0: as many as there are cores.
  func picture(_ item: Int, threads: Int = 0) throws(ImageFileError) -> CodedFrame {
    let properties = items.properties(of: item)
    let decoder: PictureDecoder
    let configuration: HEIFBoxes.Box?
    switch items.type(of: item) {
    case "hvc1": (decoder, configuration) = (.hevc, properties.first { $0.type == "hvcC" })
    case "av01": (decoder, configuration) = (.av1, properties.first { $0.type == "av1C" })
    case let type:
      throw .unsupported(path: path, reason: "a picture of kind '\(type ?? "unknown")' is neither HEVC, AV1 nor a grid")
    }
    guard let configuration, let data = items.data(of: item) else {
      throw .unreadable(path: path, reason: "a part of the picture is missing")
    }
    do {
      let frame = try decoder.decode(
        data, configuration: Array(configuration.content), threads: threads, maxPixels: Size.maxPixels, path: path)
      try frame.size.check(path: path)
      return frame
    } catch let error as ImageFileError { throw error } catch let error as FFmpegError {
      if error == .outOfMemory { throw .outOfMemory }
      throw .unreadable(path: path, reason: error.description)
    } catch { throw .unreadable(path: path, reason: "\(error)") }
  }

  /// A picture of tiles in rows and columns. Source: ISO/IEC 23008-12 (HEIF), 6.6.2.3.
  func grid(_ item: Int) throws(ImageFileError) -> CodedFrame {
    let damaged = ImageFileError.unreadable(path: path, reason: "its grid of tiles is damaged")
    guard let data = items.data(of: item)?[...], let flags = data.integer(at: 1, 1),
      let rows = data.integer(at: 2, 1).map({ $0 + 1 }), let columns = data.integer(at: 3, 1).map({ $0 + 1 }),
      case let field = flags & 1 == 0 ? 2 : 4, let width = data.integer(at: 4, field),
      let height = data.integer(at: 4 + field, field)
    else { throw damaged }
    let size = Size(width: width, height: height)
    try size.check(path: path)
    let tiles = items.sources(of: item)
    guard tiles.count == rows * columns else { throw damaged }
    let first = try picture(tiles[0], threads: 1)
    let tile = first.size
    // Tiles cover the picture and begin on samples of chroma.
    guard tile.width * columns >= width, tile.height * rows >= height, tile.width * (columns - 1) < width,
      tile.height * (rows - 1) < height, tile.width & first.layout.chromaShiftX == 0,
      tile.height & first.layout.chromaShiftY == 0
    else { throw damaged }
    let whole = CodedFrame(size: size, layout: first.layout, color: first.color, metadata: first.metadata)
    // What is there several times is decoded once.
    for (item, places) in Dictionary(grouping: tiles.indices, by: { tiles[$0] }) {
      let part = item == tiles[0] ? first : try picture(item, threads: 1)
      guard part.layout == first.layout, part.size == tile else { throw damaged }
      for index in places { whole.put(part, x: index % columns * tile.width, y: index / columns * tile.height) }
    }
    return whole
  }
}
