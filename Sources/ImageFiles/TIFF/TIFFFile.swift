internal import CTIFF
internal import Files

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
    guard unsafe hr_tiff_get_profile(handle, &count, &bytes) == 1, let bytes = unsafe bytes, count > 0 else {
      return nil
    }
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
