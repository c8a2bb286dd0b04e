internal import COpenEXR

/// Owns an OpenEXR context that writes to memory.
@safe
final class EXRMemoryFile {
  // @safe: the pointer is used while this object lives, and is freed with it; `Bytes` outlives it.

  /// The bytes that the library has written.
  fileprivate final class Bytes {
    var content: [UInt8] = []
  }

  private(set) var context: exr_context_t?
  private let bytes = Bytes()

  init(expectedByteCount: Int) throws(ImageFileError) {
    bytes.content.reserveCapacity(expectedByteCount)
    var settings = unsafe exr_context_initializer_t()
    unsafe settings.size = MemoryLayout<exr_context_initializer_t>.size
    unsafe settings.user_data = Unmanaged.passUnretained(bytes).toOpaque()
    unsafe settings.error_handler_fn = { _, _, _ in }
    unsafe settings.zip_level = Self.zipLevel
    // The library's default quality for a compression that is not used.
    unsafe settings.dwa_quality = -1
    unsafe settings.write_fn = { _, user, data, count, offset, _ in
      guard let user = unsafe user, let data = unsafe data else { return -1 }
      let bytes = unsafe Unmanaged<Bytes>.fromOpaque(user).takeUnretainedValue()
      let source = unsafe UnsafeRawBufferPointer(start: data, count: Int(count))
      return unsafe bytes.write(source, at: Int(offset))
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

extension EXRMemoryFile.Bytes {
  /// Appends, or overwrites earlier bytes, such as the chunk offset table at the end.
  /// - Returns: The number of bytes.
  fileprivate func write(_ source: UnsafeRawBufferPointer, at offset: Int) -> Int64 {
    let overlap = min(max(content.count - offset, 0), source.count)
    if overlap > 0 {
      unsafe content.withUnsafeMutableBytes { target in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + overlap])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<overlap]))
      }
    } else if offset > content.count {
      content.append(contentsOf: repeatElement(0, count: offset - content.count))
    }
    unsafe content.append(contentsOf: source[overlap...])
    return Int64(source.count)
  }
}
