internal import CFFmpeg
internal import Foundation

/// Standard input for FFmpeg, whose own reader waits in the system until data comes: this one looks for an
/// interruption meanwhile.
@safe
final class StandardInput {
  // @safe: the context does not leave this module, and is freed with this object.
  let context: UnsafeMutablePointer<AVIOContext>
  private let interruption: ReadInterruption

  /// Bytes that are asked for at once.
  private static let bufferSize = 1 << 16
  /// Milliseconds after which a wait looks for an interruption.
  private static let patience: Int32 = 100

  init(_ interruption: ReadInterruption) throws(FFmpegError) {
    self.interruption = interruption
    guard let buffer = unsafe av_malloc(Self.bufferSize) else { throw .outOfMemory }
    let context = unsafe avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
      Unmanaged.passUnretained(interruption).toOpaque(),
      { opaque, bytes, count in unsafe StandardInput.read(opaque, bytes, count) }, nil, nil)
    guard let context = unsafe context else {
      unsafe av_free(buffer)
      throw .outOfMemory
    }
    unsafe self.context = unsafe context
    unsafe context.pointee.seekable = 0
  }

  deinit {
    // FFmpeg may have replaced the buffer.
    unsafe av_free(context.pointee.buffer)
    var context: UnsafeMutablePointer<AVIOContext>? = unsafe context
    unsafe avio_context_free(&context)
  }

  private static func read(_ opaque: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32)
    -> Int32
  {
    guard let opaque = unsafe opaque, let bytes = unsafe bytes else { return hr_error_eof() }
    let interruption = unsafe Unmanaged<ReadInterruption>.fromOpaque(opaque).takeUnretainedValue()
    while !interruption.wasSet {
      var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&descriptor, 1, patience)
      if ready == 0 || ready < 0 && errno == EINTR { continue }
      let got = unsafe Foundation.read(STDIN_FILENO, bytes, Int(count))
      if got > 0 { return Int32(got) }
      if got == 0 { return hr_error_eof() }
      if errno != EINTR && errno != EAGAIN { return hr_error_of_system(errno) }
    }
    return hr_error_exit()
  }
}
