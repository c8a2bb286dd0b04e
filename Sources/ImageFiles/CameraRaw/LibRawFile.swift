internal import CLibRaw
internal import Frames

/// Owns LibRaw's reader of a camera raw file.
@safe
final class LibRawFile {
  // @safe: the pointer is used while this object lives, and is freed with it.
  let path: String
  private let raw: UnsafeMutablePointer<hr_raw>

  /// Memory for the samples in MiB: twice what the largest picture needs.
  private static let memory: UInt32 = 1024

  init(path: String) throws(ImageFileError) {
    guard let raw = unsafe hr_raw_create(Self.memory) else { throw .outOfMemory }
    unsafe self.raw = unsafe raw
    self.path = path
  }

  deinit { unsafe hr_raw_free(raw) }

  /// Reads the metadata.
  /// - Parameter bytes: The file; it must outlive this object.
  /// - Returns: false if LibRaw does not recognize it.
  /// - Throws: `ImageFileError` if it is damaged, or states an impossible size.
  func open(_ bytes: UnsafeRawBufferPointer) throws(ImageFileError) -> Bool {
    let status = unsafe hr_raw_open(raw, bytes.baseAddress, bytes.count)
    if status == LIBRAW_FILE_UNSUPPORTED.rawValue { return false }
    // Metadata that would need much memory is damaged.
    guard status == 0 else { throw failure(status) }
    let numbers = numbers
    try Size(stated: Int(numbers.raw_width), Int(numbers.raw_height), path: path).check(
      held: bytes.count * Self.maxPixelsPerByte, path: path)
    try size.check(path: path)
    return true
  }

  /// Maximum compression ratio: a block of 64 pixels of lossy JPEG takes at least 12 bits in three components.
  private static let maxPixelsPerByte = 64

  /// Decodes the samples.
  func unpack() throws(ImageFileError) {
    let status = unsafe hr_raw_unpack(raw)
    if status == LIBRAW_UNSUFFICIENT_MEMORY.rawValue { throw .outOfMemory }
    guard status == 0 else { throw failure(status) }
    guard unsafe raw.pointee.is_damaged == 0
    else { throw .unreadable(path: path, reason: "its samples are damaged or truncated") }
    if unsafe hr_raw_is_phase_one(raw) != 0 { throw unsupported("Phase One's own format is not supported") }
    if numbers.is_tilted != 0 { throw unsupported("the sensor's grid is turned by 45 degrees") }
    guard numbers.colors == 3, String(colorNames.prefix(3)) == "RGB"
    else { throw unsupported("its colours are '\(colorNames.prefix(Int(numbers.colors)))', not red, green and blue") }
  }

  private func failure(_ status: Int32) -> ImageFileError {
    if status == LIBRAW_TOO_BIG.rawValue { return unsupported("it needs more memory than any known camera's file") }
    let message = unsafe String(cString: libraw_strerror(status))
    return .unreadable(path: path, reason: "it is damaged or truncated (LibRaw: \(message))")
  }

  func unsupported(_ reason: String) -> ImageFileError { .unsupported(path: path, reason: reason) }

  private var numbers: hr_raw_numbers { unsafe hr_raw_describe(raw) }
  private var colorNames: String { unsafe String(cString: hr_raw_color_names(raw)) }

  /// The visible picture.
  var size: Size { Size(width: Int(numbers.width), height: Int(numbers.height)) }

  /// Maker and model.
  var camera: String? {
    let words = unsafe [String(cString: hr_raw_maker(raw)), String(cString: hr_raw_model(raw))]
    let name = words.filter { !$0.isEmpty }.joined(separator: " ").filter { $0.isASCII && $0 >= " " }
    return name.isEmpty ? nil : name
  }

  /// LibRaw uses dcraw's code: bits for columns, rows and axes, in the order in which `Orientation` applies them.
  var orientation: Orientation {
    let flip = numbers.flip
    return Orientation(swapsAxes: flip & 4 != 0, reversesColumns: flip & 1 != 0, reversesRows: flip & 2 != 0)
  }

  /// Zeros mean unknown; a flash that did not fire is indistinguishable from an unknown one.
  var exposure: Exposure {
    func known(_ value: Float) -> Double? { value > 0 && value.isFinite ? Double(value) : nil }
    let numbers = numbers
    let flash = Int(exactly: numbers.flash.rounded()) ?? 0
    return Exposure(
      seconds: known(numbers.shutter), fNumber: known(numbers.aperture), sensitivity: known(numbers.sensitivity),
      flashFired: flash & 1 == 1 ? true : nil)
  }

  var notes: [String] {
    var notes: [String] = []
    if numbers.picture_count > 1 { notes.append("It holds several raw pictures; only its first is used.") }
    if numbers.is_white_balanced != 0 {
      notes.append("The camera has already applied its white balance to the samples.")
    }
    return notes
  }

  var isFloatingPoint: Bool { unsafe hr_raw_is_floating_point(raw) != 0 }
  var isDNG: Bool { numbers.is_dng != 0 }
  /// Whether each site has one colour; otherwise each pixel has all.
  var hasFilters: Bool { numbers.filters != 0 }
  /// Whether the filters have LibRaw's code for X-Trans.
  var isXTrans: Bool { numbers.filters == 9 }
  /// Whether the filters are described by LibRaw's 8 x 2 pattern.
  var isRegular: Bool { numbers.filters >= 1000 }

  /// The colour of a site of the visible picture; 3 is the second green.
  func color(x: Int, y: Int) -> Int { Int(unsafe hr_raw_color(raw, Int32(y), Int32(x))) }

  /// Black level of a colour, without its dependence on position.
  func black(_ color: Int) -> Int { Int(numbers.black) + Int(unsafe hr_raw_color_black(raw, Int32(color))) }
  /// Rows and columns of the repeated black pattern; 0: none.
  var blackPattern: Size { Size(width: Int(numbers.black_columns), height: Int(numbers.black_rows)) }
  /// Additional black level at an index in the pattern.
  func siteBlack(_ index: Int) -> Int { Int(unsafe hr_raw_site_black(raw, UInt32(index))) }
  /// White level of a colour.
  func white(_ color: Int) -> Int {
    let stated = isDNG && !hasFilters ? Int(unsafe hr_raw_dng_white(raw, Int32(color))) : 0
    return stated > 0 ? stated : Int(numbers.white)
  }

  /// The samples of the visible picture's rows, which must not outlive this object.
  /// - Throws: `ImageFileError.unreadable` if they are missing.
  @unsafe
  func samples() throws(ImageFileError) -> LibRawSamples {
    var count: Int32 = 1
    let base = unsafe hasFilters ? hr_raw_sites(raw) : hr_raw_pixels(raw, &count)
    let numbers = numbers
    let pitch = Int(unsafe hr_raw_pitch(raw)) / 2
    let (left, top) = (Int(numbers.left), Int(numbers.top))
    let size = Size(
      width: min(size.width, Int(numbers.raw_width) - left, pitch / Int(count) - left),
      height: min(size.height, Int(numbers.raw_height) - top))
    guard let base = unsafe base, size.width > 4, size.height > 4, left >= 0, top >= 0
    else { throw .unreadable(path: path, reason: "it has no samples") }
    return unsafe LibRawSamples(
      base: base + top * pitch + left * Int(count), pitch: pitch, perPixel: Int(count), size: size)
  }

  /// CIE XYZ to the camera's colours under D65, from LibRaw's table; zeros for unknown cameras.
  func tableMatrix(color: Int, axis: Int) -> Double {
    Double(unsafe hr_raw_table_matrix(raw, Int32(color), Int32(axis)))
  }
  /// The illuminant of a DNG file's matrix, 0 or 1, as Exif's `LightSource`.
  func light(_ which: Int) -> Int { Int(unsafe hr_raw_dng_light(raw, Int32(which))) }
  func matrix(_ which: Int, color: Int, axis: Int) -> Double {
    Double(unsafe hr_raw_dng_matrix(raw, Int32(which), Int32(color), Int32(axis)))
  }
  func calibration(_ which: Int, color: Int, from: Int) -> Double {
    Double(unsafe hr_raw_dng_calibration(raw, Int32(which), Int32(color), Int32(from)))
  }
  func analogBalance(_ color: Int) -> Double { Double(unsafe hr_raw_dng_balance(raw, Int32(color))) }
}

/// The samples of a camera raw file's visible picture in LibRaw's memory.
@unsafe
struct LibRawSamples: @unchecked Sendable {
  // @unchecked: they are only read.
  /// The first sample of the visible picture.
  let base: UnsafePointer<UInt16>
  /// Samples from one row to the next.
  let pitch: Int
  /// 1 on sensors with filters, otherwise 3 or 4.
  let perPixel: Int
  let size: Size

  func row(_ y: Int) -> UnsafePointer<UInt16> { unsafe base + y * pitch }
}

/// Metadata in the directories of a camera raw file with a TIFF structure.
struct CameraRawMetadata {
  let exif: PictureExif?
  /// In the unit of the white level.
  let noise: NoiseModel?
  /// Whether samples are floating-point, which LibRaw may take for integers.
  let isFloatingPoint: Bool

  init(_ file: ArraySlice<UInt8>, _ signature: CameraRawSignature) {
    guard signature.isTIFF, let directory = TIFFDirectory(file) else {
      (exif, noise, isFloatingPoint) = (nil, nil, false)
      return
    }
    exif = PictureExif(tiff: file)
    // SubIFDs hold the raw picture where the first directory holds a thumbnail.
    let directories = [directory] + directory.directories(0x014A, limit: 10)
    noise = directories.lazy.compactMap { Self.noise($0) }.first
    isFloatingPoint = directories.contains { Self.isRaw($0) && $0.numbers(0x0153)?.first == 3 }
  }

  /// Colour filters, or their samples interpolated. Source: DNG 1.6 (2021), "PhotometricInterpretation".
  private static func isRaw(_ directory: TIFFDirectory) -> Bool {
    [32_803, 34_892].contains(directory.numbers(0x0106)?.first)
  }

  /// Scale and offset of the variance, for all planes or for each of three. Source: DNG 1.6 (2021), "NoiseProfile": the
  /// signal's range from black to white is 0...1.
  private static func noise(_ directory: TIFFDirectory) -> NoiseModel? {
    guard let values = directory.numbers(0xC761, limit: 6), values.count == 2 || values.count == 6,
      values.allSatisfy({ 0...1 ~= $0 })
    else { return nil }
    let plane = values.count == 2 ? [0, 0, 0] : [0, 2, 4]
    return NoiseModel(
      shot: SIMD3(values[plane[0]], values[plane[1]], values[plane[2]]),
      read: SIMD3(values[plane[0] + 1], values[plane[1] + 1], values[plane[2] + 1]))
  }
}
