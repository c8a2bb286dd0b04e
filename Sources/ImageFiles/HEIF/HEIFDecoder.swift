internal import Compositing
internal import FFmpegIO
internal import Frames

/// Decodes the items of a HEIF file.
struct HEIFDecoder {
  let items: HEIFItems
  let path: String

  /// An individually coded picture.
  /// - Parameter threads: Threads of its decoder; 0: one per core.
  func picture(_ item: Int, threads: Int = 0) throws(ImageFileError) -> CodedFrame {
    let coded = try coded(item)
    do {
      let frame = try coded.decoder.decode(
        coded.data, configuration: coded.configuration, threads: threads, maxPixels: maximumPixels(item), path: path)
      try frame.size.check(path: path)
      return frame
    } catch { throw failure(error) }
  }

  /// The alpha of an auxiliary picture, coded individually or in tiles.
  /// - Parameter size: Size of the main picture.
  func alpha(_ item: Int, size: Size) throws(ImageFileError) -> AlphaPlane {
    let isGrid = items.type(of: item) == "grid"
    let parts = isGrid ? items.sources(of: item) : [item]
    let columns = isGrid ? (items.data(of: item)?[...]).flatMap { $0.integer(at: 3, 1) }.map { $0 + 1 } ?? 1 : 1
    var whole = AlphaPlane(size: size)
    for (part, places) in try distinct(parts) {
      let coded = try coded(part)
      do {
        let plane = try coded.decoder.decodeAlpha(
          coded.data, configuration: coded.configuration, maxPixels: maximumPixels(part), path: path)
        if !isGrid, plane.size != size {
          throw ImageFileError.unreadable(path: path, reason: "its alpha is \(plane.size), but its picture is \(size)")
        }
        for index in places {
          whole.put(plane, x: index % columns * plane.size.width, y: index / columns * plane.size.height)
        }
      } catch { throw failure(error) }
    }
    return whole
  }

  private func failure(_ error: any Error) -> ImageFileError {
    if let error = error as? ImageFileError { return error }
    if error as? FFmpegError == .outOfMemory { return .outOfMemory }
    return .unreadable(path: path, reason: "\(error)")
  }

  private struct Coded {
    let decoder: PictureDecoder
    let configuration: [UInt8]
    let data: [UInt8]
  }

  private func coded(_ item: Int) throws(ImageFileError) -> Coded {
    let properties = items.properties(of: item)
    let decoder: PictureDecoder
    let configuration: HEIFBoxes.Box?
    switch items.type(of: item) {
    case "hvc1": (decoder, configuration) = (.hevc, properties.first { $0.type == "hvcC" })
    case "av01": (decoder, configuration) = (.av1, properties.first { $0.type == "av1C" })
    case let type:
      throw .unsupported(path: path, reason: "a picture of type '\(type ?? "unknown")' is not HEVC, AV1 or a grid")
    }
    guard let configuration, let data = items.data(of: item) else {
      throw .unreadable(path: path, reason: "a part of the picture is missing")
    }
    return Coded(decoder: decoder, configuration: Array(configuration.content), data: data)
  }

  /// Maximum number of coded pixels of an item: the stated size, plus up to one coding block on each axis.
  ///
  /// Source: HEIF, 6.5.3, for `ispe`; ITU-T H.265, 7.4.3.2.1, and AV1, 5.5.1: blocks have up to 64 and 128 samples.
  private func maximumPixels(_ item: Int) -> Int {
    let stated = items.properties(of: item).first { $0.type == "ispe" }?.content
    guard let width = stated?.integer(at: 4, 4), let height = stated?.integer(at: 8, 4) else { return Size.maxPixels }
    let (pixels, overflow) = (width + 128).multipliedReportingOverflow(by: height + 128)
    return overflow ? Size.maxPixels : min(pixels, Size.maxPixels)
  }

  /// A tiled picture. Source: ISO/IEC 23008-12 (HEIF), 6.6.2.3.
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
    let parts = try distinct(tiles)
    let first = try picture(tiles[0], threads: 1)
    let tile = first.size
    // Tiles cover the picture and are aligned to chroma samples.
    guard tile.width * columns >= width, tile.height * rows >= height, tile.width * (columns - 1) < width,
      tile.height * (rows - 1) < height, tile.width & first.layout.chromaShiftX == 0,
      tile.height & first.layout.chromaShiftY == 0
    else { throw damaged }
    try size.check(held: parts.count * tile.width * tile.height, path: path)
    let whole = CodedFrame(size: size, layout: first.layout, color: first.color, metadata: first.metadata)
    for (item, places) in parts {
      let part = item == tiles[0] ? first : try picture(item, threads: 1)
      guard part.layout == first.layout, part.size == tile else { throw damaged }
      for index in places { whole.put(part, x: index % columns * tile.width, y: index / columns * tile.height) }
    }
    return whole
  }

  /// Tiles that decode to different pictures, with their positions: repeated ones, and items that share their data, are
  /// decoded once.
  /// - Throws: `ImageFileError.unreadable` if one is missing, or if different ones overlap so that decoding them takes
  ///   more time than a file of its size may.
  private func distinct(_ tiles: [Int]) throws(ImageFileError) -> [(item: Int, places: [Int])] {
    var places: [HEIFItems.Coding: [Int]] = [:]
    var byteCount = 0
    for (item, indices) in Dictionary(grouping: tiles.indices, by: { tiles[$0] }) {
      guard let coding = items.coding(of: item) else {
        throw .unreadable(path: path, reason: "a part of the picture is missing")
      }
      if places[coding] == nil { byteCount += coding.byteCount }
      places[coding, default: []] += indices
    }
    guard byteCount <= items.byteCount else {
      throw .unreadable(path: path, reason: "its grid of tiles is damaged")
    }
    return places.values.map { $0.sorted() }.map { (tiles[$0[0]], $0) }.sorted { $0.places[0] < $1.places[0] }
  }
}
