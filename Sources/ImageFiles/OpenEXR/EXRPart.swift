internal import COpenEXR
internal import ColorScience
internal import Frames

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
    self.index = index
    self.channels = channels
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
