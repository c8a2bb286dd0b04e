internal import COpenEXR

/// Owns an OpenEXR context that writes to memory.
@safe
final class EXRMemoryFile {
  // @safe: the pointer is used while this object lives, and is freed with it; `bytes` outlive it.

  private(set) var context: exr_context_t?
  private let bytes: WrittenBytes

  init(expectedByteCount: Int) throws(ImageFileError) {
    bytes = WrittenBytes(expectedByteCount: expectedByteCount)
    var settings = unsafe exr_context_initializer_t()
    unsafe settings.size = MemoryLayout<exr_context_initializer_t>.size
    unsafe settings.user_data = bytes.opaque
    unsafe settings.error_handler_fn = { _, _, _ in }
    unsafe settings.zip_level = Self.zipLevel
    // The library's default quality for a compression that is not used.
    unsafe settings.dwa_quality = -1
    unsafe settings.write_fn = { _, user, data, count, offset, _ in
      guard let bytes = unsafe WrittenBytes.of(user), let data = unsafe data else { return -1 }
      unsafe bytes.write(UnsafeRawBufferPointer(start: data, count: Int(count)), at: Int(offset))
      return Int64(count)
    }
    try check(unsafe exr_start_write(&context, "memory", EXR_WRITE_FILE_DIRECTLY, &settings))
  }

  deinit { if unsafe context != nil { unsafe exr_finish(&context) } }

  /// Deflate level: two thirds of the time of level 6 for a few per cent more bytes.
  private static let zipLevel: Int32 = 4

  /// Flushes pending data.
  func finish() throws(ImageFileError) -> [UInt8] {
    try check(unsafe exr_finish(&context))
    return bytes.content
  }

  func check(_ code: exr_result_t) throws(ImageFileError) {
    switch exr_error_code_t(UInt32(bitPattern: code)) {
    case EXR_ERR_SUCCESS: return
    case EXR_ERR_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .notEncoded(format: "OpenEXR", reason: EXRMessage.text(code))
    }
  }
}
