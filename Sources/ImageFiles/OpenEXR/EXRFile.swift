internal import COpenEXR
internal import FFmpegIO
internal import Files

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
