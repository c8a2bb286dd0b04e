internal import ColorScience
internal import COpenEXR
internal import FFmpegIO
internal import Files
internal import Frames

/// Reads OpenEXR files: scan lines and full-resolution tiles, in all types and compressions that the library supports.
public enum EXRReader {
  /// The first picture's R, G and B (or Y, as grey) as linear half floats.
  ///
  /// The frame is the display window, black outside the data window. Without chromaticities the primaries are BT.709;
  /// primaries that H.273 does not define are converted to BT.2020. NaN becomes 0, and infinities the largest half
  /// float.
  /// - Throws: `ImageFileError.unreadable` if the file is missing or damaged, `.unsupported` if it contains no such
  ///   picture.
  /// Source: OpenEXR Standard Attributes (version 3.1), `chromaticities` and `whiteLuminance`.
  public static func read(_ path: String) throws(ImageFileError) -> StillImage {
    let file = try EXRFile(path: path)
    let part = try EXRPart(of: file)
    let window = part.displayWindow
    let size = try Size(stated: window.width, window.height, path: path)
    let data = try Size(stated: part.dataWindow.width, part.dataWindow.height, path: path)
    try size.check(held: data.width * data.height, path: path)
    let chunks = try EXRChunks(file, part)
    var notes: [String] = []
    let space = part.space ?? .bt709
    let primaries = ColorPrimaries(space)
    let frame = CodedFrame(
      size: size, layout: .linearRGB,
      color: ColorDescription(primaries: primaries ?? .bt2020, transfer: .linear, matrix: .rgb, range: .full),
      metadata: HDRMetadata(linearUnit: part.whiteLuminance))
    try chunks.decode(into: frame)
    if primaries == nil {
      let matrix = RGBSpace.conversion(from: space, to: .bt2020)
      guard matrix.isFinite
      else { throw .unsupported(path: path, reason: "its chromaticities do not span a triangle around its white") }
      frame.convert(by: matrix)
      notes.append("Its primaries are not standard ones: colours were converted to BT.2020.")
    }
    if part.pixelAspectRatio != 1 {
      notes.append("Its pixels are \(part.pixelAspectRatio) times as wide as high, and are treated as square.")
    }
    // Source: Technical Introduction to OpenEXR, "Premultiplied vs. Un-Premultiplied Color".
    let alpha = chunks.alpha.map { StillAlpha(plane: $0, isPremultiplied: true) }
    return StillImage(formatName: "exr", codecName: "exr", frame: frame, alpha: alpha, notes: notes)
  }
}

extension Matrix3 {
  fileprivate var isFinite: Bool {
    [row0, row1, row2].allSatisfy { row in (0..<3).allSatisfy { row[$0].isFinite } }
  }
}

/// Owns an OpenEXR context for reading.
@safe
final class EXRFile {
  // @safe: the pointer is used while this object lives, and is freed with it.
  let path: String
  let byteCount: Int
  private(set) var context: exr_context_t?

  init(path: String) throws(ImageFileError) {
    self.path = path
    byteCount = FileStatus(path)?.byteCount ?? 0
    var settings = unsafe exr_context_initializer_t()
    unsafe settings.size = MemoryLayout<exr_context_initializer_t>.size
    unsafe settings.error_handler_fn = { _, _, _ in }
    unsafe settings.zip_level = -2
    unsafe settings.dwa_quality = -1
    // Missing chunks are an error, rather than reconstructed. Headers are not read strictly, because FFmpeg's lack
    // required attributes.
    unsafe settings.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION
    try check(unsafe exr_start_read(&context, path.systemName, &settings))
  }

  deinit { if unsafe context != nil { unsafe exr_finish(&context) } }

  func check(_ code: exr_result_t) throws(ImageFileError) {
    switch exr_error_code_t(UInt32(bitPattern: code)) {
    case EXR_ERR_SUCCESS: return
    // The PIZ and B44 decoders also report this for truncated chunks.
    case EXR_ERR_OUT_OF_MEMORY where !SystemMemory.isLeft: throw .outOfMemory
    // DWAA and DWAB in the C interface of OpenEXR 3.1.
    case EXR_ERR_FEATURE_NOT_IMPLEMENTED:
      throw .unsupported(path: path, reason: "this OpenEXR has no decoder for its compression")
    default: throw .unreadable(path: path, reason: EXRMessage.text(code))
    }
  }

  func partCount() throws(ImageFileError) -> Int32 {
    var count: Int32 = 0
    try check(unsafe exr_get_count(context, &count))
    return count
  }
}

/// The part of a file that holds its picture, as described by its header.
struct EXRPart {
  /// A rectangle of pixels, edges included, in the coordinates of the file.
  struct Window {
    let minX: Int
    let minY: Int
    let maxX: Int
    let maxY: Int

    init(_ box: exr_attr_box2i_t) {
      (minX, minY) = (Int(box.min.x), Int(box.min.y))
      (maxX, maxY) = (Int(box.max.x), Int(box.max.y))
    }

    var width: Int { maxX - minX + 1 }
    var height: Int { maxY - minY + 1 }
  }

  let index: Int32
  let isTiled: Bool
  let dataWindow: Window
  let displayWindow: Window
  /// Channel names of R, G and B (all the same for a grey picture), and of alpha.
  let channels: EXRChannelNames
  /// nil: not stated, which means BT.709.
  let space: RGBSpace?
  /// Luminance in cd/m² of 1.0; nil: not stated.
  let whiteLuminance: Double?
  let pixelAspectRatio: Float

  /// The first part with a top-level picture, or else the first with one in a layer.
  /// - Throws: `ImageFileError` if no part has one, or the header is damaged.
  init(of file: EXRFile) throws(ImageFileError) {
    let candidates = try Self.candidates(in: file)
    let chosen = EXRChannelNames.Kind.allCases.lazy.compactMap { kind in
      candidates.lazy.compactMap { part in EXRChannelNames(kind, of: part.names).map { (part.index, $0) } }.first
    }.first
    guard let chosen else {
      throw .unsupported(
        path: file.path, reason: "none of its parts that are not deep has channels R, G and B, or Y alone")
    }
    try self.init(of: file, index: chosen.0, channels: chosen.1)
  }

  private init(of file: EXRFile, index: Int32, channels: EXRChannelNames) throws(ImageFileError) {
    (self.index, self.channels) = (index, channels)
    var storage = EXR_STORAGE_SCANLINE
    try file.check(unsafe exr_get_storage(file.context, index, &storage))
    isTiled = storage == EXR_STORAGE_TILED
    var box = exr_attr_box2i_t()
    try file.check(unsafe exr_get_data_window(file.context, index, &box))
    dataWindow = Window(box)
    try file.check(unsafe exr_get_display_window(file.context, index, &box))
    displayWindow = Window(box)
    var ratio: Float = 1
    try file.check(unsafe exr_get_pixel_aspect_ratio(file.context, index, &ratio))
    pixelAspectRatio = ratio
    space = Self.space(of: file, part: index)
    var white: Float = 0
    let code = unsafe exr_attr_get_float(file.context, index, "whiteLuminance", &white)
    whiteLuminance = code == 0 && white.isFinite && white > 0 ? Double(white) : nil
  }

  /// Parts with at most one sample per pixel, and the names of their full-resolution channels; Y is omitted if it is
  /// the luminance of a colour picture.
  private static func candidates(
    in file: EXRFile
  ) throws(ImageFileError) -> [(index: Int32, names: Set<String>)] {
    var result: [(index: Int32, names: Set<String>)] = []
    for index in 0..<(try file.partCount()) {
      var storage = EXR_STORAGE_LAST_TYPE
      try file.check(unsafe exr_get_storage(file.context, index, &storage))
      guard [EXR_STORAGE_SCANLINE, EXR_STORAGE_TILED].contains(storage) else { continue }
      var list: UnsafePointer<exr_attr_chlist_t>?
      try file.check(unsafe exr_get_channels(file.context, index, &list))
      guard let list = unsafe list else { continue }
      var names: Set<String> = []
      var hasColorDifferences = false
      for place in unsafe 0..<Int(list.pointee.num_channels) {
        let entry = unsafe list.pointee.entries[place]
        guard let text = unsafe entry.name.str else { continue }
        let name = unsafe String(cString: text)
        if ["RY", "BY"].contains(name) { hasColorDifferences = true }
        if unsafe entry.x_sampling == 1 && entry.y_sampling == 1 { names.insert(name) }
      }
      if hasColorDifferences { names.remove("Y") }
      result.append((index, names))
    }
    return result
  }

  private static func space(of file: EXRFile, part: Int32) -> RGBSpace? {
    var stated = exr_attr_chromaticities_t()
    guard unsafe exr_attr_get_chromaticities(file.context, part, "chromaticities", &stated) == 0 else { return nil }
    func point(_ x: Float, _ y: Float) -> Chromaticity { Chromaticity(x: Double(x), y: Double(y)) }
    return RGBSpace(
      red: point(stated.red_x, stated.red_y), green: point(stated.green_x, stated.green_y),
      blue: point(stated.blue_x, stated.blue_y), white: point(stated.white_x, stated.white_y))
  }
}

/// The channels that make up a part's picture. Source: Technical Introduction to OpenEXR, "Channel Names" and "Layers":
/// a layer's name precedes the channel's, separated by a dot.
struct EXRChannelNames: Sendable, Hashable {
  /// Kinds of channel sets, best first.
  enum Kind: CaseIterable { case color, grey, layer }

  /// R, G and B; all the same name if the picture is grey.
  let red: String
  let green: String
  let blue: String
  /// nil: all pixels are opaque.
  let alpha: String?

  /// - Parameter names: Channels with a sample for every pixel.
  init?(_ kind: Kind, of names: Set<String>) {
    func alpha(_ prefix: String) -> String? { names.contains(prefix + "A") ? prefix + "A" : nil }
    switch kind {
    case .color:
      guard names.isSuperset(of: ["R", "G", "B"]) else { return nil }
      (red, green, blue) = ("R", "G", "B")
      self.alpha = alpha("")
    case .grey:
      guard names.contains("Y") else { return nil }
      (red, green, blue) = ("Y", "Y", "Y")
      self.alpha = alpha("")
    case .layer:
      let prefixes = names.filter { $0.hasSuffix(".R") }.map { String($0.dropLast()) }.sorted()
      let found = prefixes.first { names.isSuperset(of: [$0 + "R", $0 + "G", $0 + "B"]) }
      guard let found else { return nil }
      (red, green, blue) = (found + "R", found + "G", found + "B")
      self.alpha = alpha(found)
    }
  }

  /// Red, green, blue and alpha.
  var all: [String] { [red, green, blue] + (alpha.map { [$0] } ?? []) }
}

/// The library's messages for its error codes.
enum EXRMessage {
  static func text(_ code: exr_result_t) -> String {
    guard let text = unsafe exr_get_default_error_message(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
