internal import CFFmpeg
internal import Files
internal import Foundation

/// An AVIO context over a pipe, a terminal or another stream. FFmpeg's implementation blocks in read(2); this one
/// polls, and reacts to interruptions.
@safe
final class PipeInput {
  // @safe: the context does not leave this module, and is freed with this object.
  let context: UnsafeMutablePointer<AVIOContext>
  private let source: Source

  /// The opaque pointer of the callbacks, which lives as long as the context.
  private final class Source {
    let descriptor: Int32
    private let isOwn: Bool
    let interruption: ReadInterruption

    init(_ descriptor: Int32, isOwn: Bool, _ interruption: ReadInterruption) {
      (self.descriptor, self.isOwn, self.interruption) = (descriptor, isOwn, interruption)
    }

    deinit { if isOwn { close(descriptor) } }
  }

  /// Buffer size in bytes.
  private static let bufferSize = 1 << 16
  /// Poll timeout in milliseconds, between checks for an interruption.
  private static let pollInterval: Int32 = 100

  /// Major number of Video4Linux devices, which FFmpeg reads. Source: Linux, Documentation/admin-guide/devices.txt.
  private static let videoMajor = 81

  /// - Returns: nil if `location` is anything else, which FFmpeg reads itself.
  init?(_ location: Location, _ interruption: ReadInterruption) throws(FFmpegError) {
    if let descriptor = location.descriptor {
      source = Source(descriptor, isOwn: false, interruption)
    } else if let descriptor = try Self.opened(location) {
      source = Source(descriptor, isOwn: true, interruption)
    } else {
      return nil
    }
    guard let buffer = unsafe av_malloc(Self.bufferSize) else { throw .outOfMemory }
    let context = unsafe avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
      Unmanaged.passUnretained(source).toOpaque(),
      { opaque, bytes, count in unsafe PipeInput.read(opaque, bytes, count) }, nil, nil)
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
    unsafe release(context, avio_context_free)
  }

  private static func opened(_ location: Location) throws(FFmpegError) -> Int32? {
    guard let path = location.path, isStream(path) else { return nil }
    // Avoids blocking on a pipe without a writer.
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failure(.open, location.name, hr_error_of_system(errno)) }
    return descriptor
  }

  /// Whether the path is a stream: readable only once, from start to end.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path.systemName, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFIFO: return true
    case S_IFCHR: return Int(status.st_rdev >> 8 & 0xFFF) != videoMajor
    default: return false
    }
  }

  private static func read(_ opaque: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32)
    -> Int32
  {
    guard let opaque = unsafe opaque, let bytes = unsafe bytes else { return hr_error_eof() }
    let source = unsafe Unmanaged<Source>.fromOpaque(opaque).takeUnretainedValue()
    while !source.interruption.wasSet {
      var descriptor = pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&descriptor, 1, pollInterval)
      if ready == 0 || ready < 0 && errno == EINTR { continue }
      let got = unsafe Foundation.read(source.descriptor, bytes, Int(count))
      if got > 0 { return Int32(got) }
      if got == 0 { return hr_error_eof() }
      if errno != EINTR && errno != EAGAIN { return hr_error_of_system(errno) }
    }
    return hr_error_exit()
  }
}
