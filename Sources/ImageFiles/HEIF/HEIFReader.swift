internal import Bitstreams
internal import ColorScience
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
    guard let items = HEIFItems(try WholeFile.bytes(of: path)) else {
      throw .unreadable(path: path, reason: "it is damaged, or not HEIC or AVIF")
    }
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
      StillAlpha(try decoder.alpha(alpha, size: frame.size), isPremultiplied: items.isPremultiplied(item))
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
