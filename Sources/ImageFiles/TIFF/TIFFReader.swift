internal import ColorScience
internal import Compositing
internal import CTIFF
internal import Files
internal import Frames

/// Reads TIFF files: RGB and grey, 8- or 16-bit integers and 16- or 32-bit floats, in all compressions that the library
/// supports.
public enum TIFFReader {
  /// The first picture of a file: R'G'B' for integers, linear light for floats.
  ///
  /// Colours follow Headroom's `ImageDescription`, or the primaries of the tags; the default is BT.709. Integers are
  /// then sRGB, which the caller corrects by `iccProfile`.
  /// - Throws: `ImageFileError.unreadable` if the file is missing or damaged, `.unsupported` if it holds anything else.
  public static func read(_ path: String) throws(ImageFileError) -> StillImage {
    let file = try TIFFFile(path: path)
    let picture = try TIFFPicture(file)
    var notes: [String] = []
    let (color, linearUnit) = color(of: file, picture, &notes)
    let frame = CodedFrame(
      size: picture.size, layout: picture.layout, color: color, metadata: HDRMetadata(linearUnit: linearUnit))
    let kind = file.extraSamples.firstIndex { [EXTRASAMPLE_ASSOCALPHA, EXTRASAMPLE_UNASSALPHA].contains(Int32($0)) }
    let blocks = TIFFBlocks(file: file, picture: picture, alphaSample: kind.map { $0 + picture.colorCount })
    let plane = try blocks.decode(into: frame)
    let alpha = kind.flatMap { kind in
      plane.map { StillAlpha(plane: $0, isPremultiplied: file.extraSamples[kind] == Int(EXTRASAMPLE_ASSOCALPHA)) }
    }
    if picture.samplesPerPixel > picture.colorCount + (alpha == nil ? 0 : 1) {
      notes.append("Its extra samples are not used.")
    }
    let orientation = file.number(TIFFTAG_ORIENTATION).flatMap { Orientation(exif: Int($0)) }
    return StillImage(
      formatName: "tiff", codecName: "tiff", frame: frame, orientation: orientation ?? .identity,
      iccProfile: file.iccProfile, alpha: alpha, notes: notes)
  }

  private static func color(
    of file: TIFFFile, _ picture: TIFFPicture, _ notes: inout [String]
  ) -> (ColorDescription, linearUnit: Double?) {
    let isLinear = picture.layout.samples == .half
    if let text = file.text(TIFFTAG_IMAGEDESCRIPTION), let stated = TIFFDescription.parse(text),
      stated.space.isLinear == isLinear
    {
      return (stated.space.color, stated.linearUnit)
    }
    let space = space(of: file)
    let primaries = space.map(ColorPrimaries.init) ?? .bt709
    if primaries == nil { notes.append("Its primaries are not standard ones, and are assumed to be those of BT.709.") }
    let transfer: TransferCharacteristics = isLinear ? .linear : .sRGB
    return (
      ColorDescription(primaries: primaries ?? .bt709, transfer: transfer, matrix: .rgb, range: .full), nil
    )
  }

  private static func space(of file: TIFFFile) -> RGBSpace? {
    guard let values = file.floats(TIFFTAG_PRIMARYCHROMATICITIES, count: 6),
      let white = file.floats(TIFFTAG_WHITEPOINT, count: 2)
    else { return nil }
    func point(_ values: ArraySlice<Float>) -> Chromaticity {
      Chromaticity(x: Double(values[values.startIndex]), y: Double(values[values.startIndex + 1]))
    }
    return RGBSpace(
      red: point(values[0..<2]), green: point(values[2..<4]), blue: point(values[4..<6]), white: point(white[...]))
  }
}

/// Owns a TIFF file for reading; only its first picture is used.
@safe
final class TIFFFile {
  // @safe: the pointer is used while this object lives, and is freed with it; the message outlives it.
  let path: String
  private var handle: OpaquePointer?
  private let message = TIFFMessage()

  init(path: String) throws(ImageFileError) {
    self.path = path
    // "m": not memory-mapped, because truncating the file meanwhile would crash the program.
    unsafe handle = try message.withOptions { unsafe TIFFOpenExt(path.systemName, "rm", $0) }
    if unsafe handle == nil { throw failure }
  }

  deinit { if let handle = unsafe handle { unsafe TIFFClose(handle) } }

  var failure: ImageFileError {
    .unreadable(path: path, reason: message.text ?? "the library gives no reason")
  }

  /// A 16-bit field, or its default according to the standard.
  func number(_ tag: Int32) -> Int? {
    var value: UInt16 = 0
    return unsafe hr_tiff_get16(handle, UInt32(tag), &value) == 1 ? Int(value) : nil
  }

  /// A 32-bit field.
  func longNumber(_ tag: Int32) -> Int? {
    var value: UInt32 = 0
    return unsafe hr_tiff_get32(handle, UInt32(tag), &value) == 1 ? Int(value) : nil
  }

  func text(_ tag: Int32) -> String? {
    var text: UnsafePointer<CChar>?
    guard unsafe hr_tiff_get_text(handle, UInt32(tag), &text) == 1, let text = unsafe text else { return nil }
    return unsafe String(cString: text)
  }

  /// - Parameter count: Number of values of the tag.
  func floats(_ tag: Int32, count: Int) -> [Float]? {
    var values: UnsafePointer<Float>?
    guard unsafe hr_tiff_get_floats(handle, UInt32(tag), &values) == 1, let values = unsafe values else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: values, count: count))
  }

  var iccProfile: [UInt8]? {
    var count: UInt32 = 0
    var bytes: UnsafeRawPointer?
    guard unsafe hr_tiff_get_profile(handle, &count, &bytes) == 1, let bytes = unsafe bytes, count > 0
    else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// Meanings of the samples beyond the colours, as codes of `ExtraSamples`.
  var extraSamples: [Int] {
    var count: UInt16 = 0
    var kinds: UnsafePointer<UInt16>?
    guard unsafe hr_tiff_get_extra(handle, &count, &kinds) == 1, let kinds = unsafe kinds else { return [] }
    return unsafe UnsafeBufferPointer(start: kinds, count: Int(count)).map { Int($0) }
  }

  var isTiled: Bool { unsafe TIFFIsTiled(handle) != 0 }

  /// Whether the library supports this compression.
  func decodes(_ compression: Int) -> Bool { TIFFIsCODECConfigured(UInt16(clamping: compression)) == 1 }

  /// Makes the library convert JPEG-coded Y'CbCr.
  func decodeJPEGAsRGB() { unsafe hr_tiff_set(handle, UInt32(TIFFTAG_JPEGCOLORMODE), UInt32(JPEGCOLORMODE_RGB)) }

  /// Size of the whole file.
  var byteCount: Int {
    guard let size = unsafe TIFFGetSizeProc(handle) else { return 0 }
    return Int(clamping: unsafe size(TIFFClientdata(handle)))
  }

  /// Uncompressed bytes of a strip or tile.
  var blockByteCount: Int { Int(clamping: isTiled ? unsafe TIFFTileSize64(handle) : unsafe TIFFStripSize64(handle)) }

  /// Decodes the block that contains the pixel at (`x`, `y`).
  /// - Parameters:
  ///   - sample: The component, if each is in separate blocks; otherwise 0.
  ///   - target: At least `blockByteCount` long; the end is unchanged if the block is shorter.
  /// - Returns: false if the block is damaged.
  func readBlock(x: Int, y: Int, sample: Int, into target: UnsafeMutableRawBufferPointer) -> Bool {
    let (column, row, component) = (UInt32(x), UInt32(y), UInt16(sample))
    let size = tmsize_t(target.count)
    let count =
      if isTiled {
        unsafe TIFFReadEncodedTile(
          handle, TIFFComputeTile(handle, column, row, 0, component), target.baseAddress, size)
      } else {
        unsafe TIFFReadEncodedStrip(handle, TIFFComputeStrip(handle, row, component), target.baseAddress, size)
      }
    return count >= 0
  }
}

/// Unpacks the strips or tiles of a file into a frame.
struct TIFFBlocks {
  let file: TIFFFile
  let picture: TIFFPicture

  /// Index of alpha among the samples of a pixel; nil: none.
  let alphaSample: Int?

  /// - Parameter frame: A frame in the picture's layout.
  /// - Returns: The alpha; nil: none.
  func decode(into frame: CodedFrame) throws(ImageFileError) -> AlphaPlane? {
    let memory = unsafe ZeroedMemory.allocate(byteCount: picture.blockByteCount)
    defer { unsafe ZeroedMemory.free(memory) }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory, count: picture.blockByteCount)
    let samples = UnsafeRawBufferPointer(buffer)
    // Red, green and blue are planes 2, 0 and 1.
    let components = picture.isGrey ? [[2, 0, 1]] : [[2], [0], [1]]
    var alpha = alphaSample.flatMap { $0 < picture.samplesPerPixel ? AlphaPlane(size: picture.size) : nil }
    for y in stride(from: 0, to: picture.size.height, by: picture.block.height) {
      for x in stride(from: 0, to: picture.size.width, by: picture.block.width) {
        for (component, planes) in components.enumerated() {
          if component == 0 || picture.isPlanar { try unsafe read(x, y, component, into: buffer) }
          for plane in planes { unsafe store(samples, picture.isPlanar ? 0 : component, x, y, plane, in: frame) }
        }
        guard let alphaSample, alpha != nil else { continue }
        if picture.isPlanar { try unsafe read(x, y, alphaSample, into: buffer) }
        unsafe store(samples, alpha: picture.isPlanar ? 0 : alphaSample, x, y, in: &alpha)
      }
    }
    return alpha
  }

  private func read(_ x: Int, _ y: Int, _ component: Int, into buffer: UnsafeMutableRawBufferPointer)
    throws(ImageFileError)
  {
    guard unsafe file.readBlock(x: x, y: y, sample: picture.isPlanar ? component : 0, into: buffer)
    else { throw file.failure }
  }

  /// Copies the alpha of the block at (`x`, `y`).
  private func store(
    _ block: UnsafeRawBufferPointer, alpha component: Int, _ x: Int, _ y: Int, in alpha: inout AlphaPlane?
  ) {
    let step = picture.isPlanar ? 1 : picture.samplesPerPixel
    let width = picture.samples.byteCount
    for row in 0..<min(picture.block.height, picture.size.height - y) {
      for column in 0..<min(picture.block.width, picture.size.width - x) {
        let place = ((row * picture.block.width + column) * step + component) * width
        let value: Float =
          switch picture.samples {
          case .integer8: Float(unsafe block[place]) / 255
          case .integer16: Float(unsafe block.loadUnaligned(fromByteOffset: place, as: UInt16.self)) / 65_535
          case .half: Float(unsafe block.loadUnaligned(fromByteOffset: place, as: Float16.self))
          case .float: unsafe block.loadUnaligned(fromByteOffset: place, as: Float.self)
          }
        alpha?[x + column, y + row] = value
      }
    }
  }

  /// Copies one component of the block at (`x`, `y`) to a plane.
  private func store(
    _ block: UnsafeRawBufferPointer, _ component: Int, _ x: Int, _ y: Int, _ plane: Int, in frame: CodedFrame
  ) {
    switch picture.samples {
    case .integer8:
      let inversion: UInt8 = picture.isInverted ? 0xFF : 0
      unsafe store(block, component, x, y, plane, in: frame) { (value: UInt8) in value ^ inversion }
    case .integer16:
      let inversion: UInt16 = picture.isInverted ? 0xFFFF : 0
      unsafe store(block, component, x, y, plane, in: frame) { (value: UInt16) in value ^ inversion }
    case .half: unsafe store(block, component, x, y, plane, in: frame, HalfSample.finite)
    case .float: unsafe store(block, component, x, y, plane, in: frame, HalfSample.bits)
    }
  }

  private func store<Read, Stored>(
    _ block: UnsafeRawBufferPointer, _ component: Int, _ x: Int, _ y: Int, _ plane: Int, in frame: CodedFrame,
    _ convert: (Read) -> Stored
  ) {
    let step = picture.isPlanar ? 1 : picture.samplesPerPixel
    let samples = unsafe block.bindMemory(to: Read.self)
    let columns = min(picture.block.width, picture.size.width - x)
    for row in 0..<min(picture.block.height, picture.size.height - y) {
      unsafe frame.withPlane(plane) { plane in
        let target = unsafe plane.row(y + row).assumingMemoryBound(to: Stored.self) + x
        let start = row * picture.block.width * step + component
        for column in 0..<columns { unsafe target[column] = convert(samples[start + column * step]) }
      }
    }
  }
}
