internal import Bitstreams
internal import ColorScience
internal import Compositing
internal import FFmpegIO
internal import Frames
internal import Media

/// Reads the primary picture of HEIC and AVIF files, including tiled ones, with FFmpeg's decoders.
///
/// The container is parsed here: FFmpeg 5.1 does not read HEIC, and libheif 1.15 returns samples only after a
/// conversion through R'G'B'.
/// Source: ISO/IEC 23008-12 (HEIF); AV1 Image File Format 1.1.
public enum HEIFReader {
  /// The picture as coded, with its orientation.
  ///
  /// Primaries and transfer function come from the file's code points, its ICC profile, or the coded picture, in this
  /// order; matrix and range from the file or the coded picture. The default is sRGB in BT.601 Y'CbCr. Gain maps are
  /// ignored.
  /// - Throws: `ImageFileError.unreadable` if the file or a picture in it is damaged, `.unsupported`, `.outOfMemory`.
  public static func read(_ path: String) throws(ImageFileError) -> StillImage {
    guard let items = HEIFItems(try WholeFile.bytes(of: path))
    else { throw .unreadable(path: path, reason: "it is damaged, or not HEIC or AVIF") }
    let item = items.primary
    let properties = HEIFProperties(items.properties(of: item))
    let decoder = HEIFDecoder(items: items, path: path)
    var frame = try items.type(of: item) == "grid" ? decoder.grid(item) : decoder.picture(item)
    var notes: [String] = []
    if items.hasGainMap(item) { notes.append("Its gain map is not applied.") }
    if properties.isCropped { notes.append("Its cropping is not applied.") }
    frame = describe(frame, properties, &notes)
    let orientation = properties.turns.reduce(Orientation.identity) { $0.followed(by: $1) }
    let coded = items.type(of: item) == "grid" ? items.sources(of: item).first : item
    let codec = coded.flatMap(items.type) == "hvc1" ? "hevc" : "av1"
    let alpha = try items.alpha(of: item).map { alpha throws(ImageFileError) in
      StillAlpha(plane: try decoder.alpha(alpha, size: frame.size), isPremultiplied: items.isPremultiplied(item))
    }
    return StillImage(
      formatName: "heif", codecName: codec, frame: frame, orientation: orientation, alpha: alpha, notes: notes)
  }

  /// Source: ISO/IEC 23000-22 (MIAF), 7.3.6.4.
  private static let unsaid = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .smpte170M, range: .full)

  private static func describe(
    _ frame: CodedFrame, _ properties: HEIFProperties, _ notes: inout [String]
  ) -> CodedFrame {
    let own = frame.color
    var coded = ColorTags(
      primaryCode: Int(own.primaries.rawValue), transferCode: Int(own.transfer.rawValue),
      matrixCode: Int(own.matrix.rawValue), range: own.range, chromaLocation: own.chromaLocation)
    let codes = properties.codes
    if codes.primaries == nil || codes.transfer == nil, let profile = properties.profile {
      if profile.tags == nil { notes.append(StillImage.note(unrecognized: profile)) }
      coded.primaries = profile.tags?.primaries ?? coded.primaries
      coded.transfer = profile.tags?.transfer ?? coded.transfer
    }
    let tags = codes.merged(over: coded).merged(over: unsaid)
    let layout = frame.layout.components == .rgb ? frame.layout : frame.layout.read(by: tags.matrix ?? .unspecified)
    let result = CodedFrame(
      size: frame.size, layout: layout, color: tags.description(for: layout),
      metadata: properties.metadata.merged(over: frame.metadata))
    result.put(frame, x: 0, y: 0)
    return result
  }
}

extension CodedFrame {
  /// Copies another picture's samples to (`x`, `y`) of this one, clipped to its area; both have the same layout, and
  /// the position is aligned to chroma samples.
  func put(_ other: CodedFrame, x: Int, y: Int) {
    for plane in 0..<layout.planeCount {
      let (own, theirs) = (layout.planeSize(plane, of: size), layout.planeSize(plane, of: other.size))
      let place = plane == 0 ? (x: x, y: y) : (x: x >> layout.chromaShiftX, y: y >> layout.chromaShiftY)
      let width = min(theirs.width, own.width - place.x)
      guard width > 0 else { continue }
      unsafe withPlane(plane) { target in
        unsafe other.withPlane(plane) { source in
          for row in 0..<max(min(theirs.height, own.height - place.y), 0) {
            unsafe (target.row(place.y + row) + place.x * layout.bytesPerSample)
              .copyMemory(from: source.row(row), byteCount: width * layout.bytesPerSample)
          }
        }
      }
    }
  }
}

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
    guard let configuration, let data = items.data(of: item)
    else { throw .unreadable(path: path, reason: "a part of the picture is missing") }
    return Coded(decoder: decoder, configuration: Array(configuration.content), data: data)
  }

  /// Maximum number of coded pixels of an item: the stated size, plus up to one coding block on each axis. Source:
  /// HEIF, 6.5.3, for `ispe`; ITU-T H.265, 7.4.3.2.1, and AV1, 5.5.1: blocks have up to 64 and 128 samples.
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
      guard let coding = items.coding(of: item)
      else { throw .unreadable(path: path, reason: "a part of the picture is missing") }
      if places[coding] == nil { byteCount += coding.byteCount }
      places[coding, default: []] += indices
    }
    guard byteCount <= items.byteCount
    else { throw .unreadable(path: path, reason: "its grid of tiles is damaged") }
    return places.values.map { $0.sorted() }.map { (tiles[$0[0]], $0) }.sorted { $0.places[0] < $1.places[0] }
  }
}

/// Colours, light and orientation from a picture's properties. Source: ISO/IEC 23008-12 (HEIF), 6.5; ISO/IEC 14496-12,
/// 12.1.5 to 12.1.7.
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
