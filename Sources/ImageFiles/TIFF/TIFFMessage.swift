internal import CTIFF

/// The first error that libtiff met in a file.
@safe
final class TIFFMessage {
  // @safe: the memory is freed with this object, which the owner of the file keeps longer than the file.
  private let buffer: UnsafeMutablePointer<CChar>

  init() {
    unsafe buffer = UnsafeMutablePointer.allocate(capacity: Int(HR_TIFF_MESSAGE))
    unsafe buffer.initialize(repeating: 0, count: Int(HR_TIFF_MESSAGE))
  }

  deinit { unsafe buffer.deallocate() }

  /// nil where the library said nothing.
  var text: String? {
    let text = unsafe String(cString: buffer)
    return text.isEmpty ? nil : text
  }

  /// Calls `body` with options that let the library tell its errors here, and nowhere else.
  func withOptions<Result>(_ body: (OpaquePointer) -> Result) throws(ImageFileError) -> Result {
    guard let options = unsafe hr_tiff_options(buffer) else { throw .outOfMemory }
    defer { unsafe TIFFOpenOptionsFree(options) }
    return unsafe body(options)
  }
}
