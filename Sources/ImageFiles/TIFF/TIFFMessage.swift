internal import CTIFF

/// The first error that libtiff reports for a file.
@safe
final class TIFFMessage {
  // @safe: the memory is freed with this object, which the owner of the file keeps longer than the file.
  private let buffer: UnsafeMutablePointer<CChar>

  init() {
    unsafe buffer = UnsafeMutablePointer.allocate(capacity: Int(HR_TIFF_MESSAGE))
    unsafe buffer.initialize(repeating: 0, count: Int(HR_TIFF_MESSAGE))
  }

  deinit { unsafe buffer.deallocate() }

  /// The error; nil: none.
  var text: String? {
    let text = unsafe String(cString: buffer)
    return text.isEmpty ? nil : text
  }

  /// Calls `body` with options that redirect the library's errors here.
  func withOptions<Result>(_ body: (OpaquePointer) -> Result) throws(ImageFileError) -> Result {
    guard let options = unsafe hr_tiff_options(buffer) else { throw .outOfMemory }
    defer { unsafe TIFFOpenOptionsFree(options) }
    return unsafe body(options)
  }
}
