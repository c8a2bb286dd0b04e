internal import CTIFF

/// Owns a TIFF file that is written to memory.
@safe
final class TIFFMemoryFile {
  // @safe: the pointer is used while this object lives, and is freed with it; `Bytes` and the message outlive it.

  /// The bytes that the library has written, and its position.
  fileprivate final class Bytes {
    var content: [UInt8] = []
    var position = 0
  }

  private var handle: OpaquePointer?
  private let bytes = Bytes()
  private let message = TIFFMessage()

  init(expectedByteCount: Int) throws(ImageFileError) {
    bytes.content.reserveCapacity(expectedByteCount)
    let client = unsafe Unmanaged.passUnretained(bytes).toOpaque()
    unsafe handle = try message.withOptions { options in
      unsafe TIFFClientOpenExt(
        "memory", "w", client,
        { client, data, count in unsafe tmsize_t(Bytes.of(client)?.read(data, Int(count)) ?? -1) },
        { client, data, count in unsafe tmsize_t(Bytes.of(client)?.write(data, Int(count)) ?? -1) },
        { client, offset, origin in unsafe Bytes.of(client)?.seek(offset, origin) ?? 0 },
        { _ in 0 },
        { client in unsafe UInt64(Bytes.of(client)?.content.count ?? 0) },
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

extension TIFFMemoryFile.Bytes {
  static func of(_ client: thandle_t?) -> TIFFMemoryFile.Bytes? {
    guard let client = unsafe client else { return nil }
    return unsafe Unmanaged<TIFFMemoryFile.Bytes>.fromOpaque(client).takeUnretainedValue()
  }

  /// At most `count` bytes from the current position.
  func read(_ data: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    let available = min(max(content.count - position, 0), count)
    if available > 0 {
      let target = unsafe UnsafeMutableRawBufferPointer(start: data, count: available)
      unsafe target.copyBytes(from: content[position..<position + available])
      position += available
    }
    return available
  }

  /// Overwrites and appends.
  func write(_ data: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    let source = unsafe UnsafeRawBufferPointer(start: data, count: count)
    if position > content.count {
      content.append(contentsOf: repeatElement(0, count: position - content.count))
    }
    let overlap = min(content.count - position, count)
    unsafe content.withUnsafeMutableBytes { target in
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[position..<position + overlap])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<overlap]))
    }
    unsafe content.append(contentsOf: source[overlap...])
    position += count
    return count
  }

  func seek(_ offset: UInt64, _ origin: Int32) -> UInt64 {
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
