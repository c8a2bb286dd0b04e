internal import CTIFF

/// Owns a TIFF file that is written to memory.
@safe
final class TIFFMemoryFile {
  // @safe: the pointer is used while this object lives, and is freed with it; `bytes` and the message outlive it.

  private var handle: OpaquePointer?
  private let bytes: WrittenBytes
  private let message = TIFFMessage()

  init(expectedByteCount: Int) throws(ImageFileError) {
    bytes = WrittenBytes(expectedByteCount: expectedByteCount)
    let client = unsafe bytes.opaque
    unsafe handle = try message.withOptions { options in
      unsafe TIFFClientOpenExt(
        "memory", "w", client,
        { client, data, count in unsafe tmsize_t(WrittenBytes.of(client)?.read(data, Int(count)) ?? -1) },
        { client, data, count in unsafe tmsize_t(WrittenBytes.of(client)?.write(data, Int(count)) ?? -1) },
        { client, offset, origin in unsafe WrittenBytes.of(client)?.seek(offset, origin) ?? 0 },
        { _ in 0 },
        { client in unsafe UInt64(WrittenBytes.of(client)?.content.count ?? 0) },
        nil, nil, options)
    }
    if unsafe handle == nil { throw failure }
  }

  deinit { if let handle = unsafe handle { unsafe TIFFClose(handle) } }

  private var failure: ImageFileError {
    .notEncoded(format: "TIFF", reason: message.text ?? "the library gives no reason")
  }

  func set(_ tag: Int32, _ value: Int) throws(ImageFileError) {
    if unsafe hr_tiff_set(handle, UInt32(tag), UInt32(clamping: value)) == 0 { throw failure }
  }

  func set(_ tag: Int32, _ text: String) throws(ImageFileError) {
    if unsafe hr_tiff_set_text(handle, UInt32(tag), text) == 0 { throw failure }
  }

  func set(_ tag: Int32, ratio: Double) throws(ImageFileError) {
    if unsafe hr_tiff_set_ratio(handle, UInt32(tag), ratio) == 0 { throw failure }
  }

  /// - Parameter values: As many as the tag requires.
  func set(_ tag: Int32, _ values: [Float]) throws(ImageFileError) {
    if unsafe hr_tiff_set_floats(handle, UInt32(tag), values) == 0 { throw failure }
  }

  func writeStrip(_ index: Int, _ samples: UnsafeRawBufferPointer) throws(ImageFileError) {
    let base = unsafe UnsafeMutableRawPointer(mutating: samples.baseAddress)
    if unsafe TIFFWriteEncodedStrip(handle, UInt32(index), base, tmsize_t(samples.count)) < 0 { throw failure }
  }

  /// Flushes pending data.
  func finish() throws(ImageFileError) -> [UInt8] {
    if unsafe TIFFFlush(handle) == 0 { throw failure }
    unsafe TIFFClose(handle)
    unsafe handle = nil
    return bytes.content
  }
}

extension WrittenBytes {
  /// At most `count` bytes from the current position.
  fileprivate func read(_ data: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    let available = min(max(content.count - position, 0), count)
    if available > 0 {
      let target = unsafe UnsafeMutableRawBufferPointer(start: data, count: available)
      unsafe target.copyBytes(from: content[position..<position + available])
      position += available
    }
    return available
  }

  fileprivate func write(_ data: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe write(UnsafeRawBufferPointer(start: data, count: count), at: position)
    position += count
    return count
  }

  fileprivate func seek(_ offset: UInt64, _ origin: Int32) -> UInt64 {
    let start =
      switch origin {
      case SEEK_CUR: position
      case SEEK_END: content.count
      default: 0
      }
    position = max(0, start &+ Int(truncatingIfNeeded: offset))
    return UInt64(position)
  }
}

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
