internal import CFFmpeg
internal import Glibc
internal import Media
internal import Synchronization

/// Follows which files a muxer opens by itself, as the segments of a playlist: none is replaced unasked, and none stays of an
/// output that fails.
@safe
final class MuxerFiles: Sendable {
  // @safe: the callback of FFmpeg is only called with what FFmpeg passes on.
  private typealias Opening =
    @convention(c) (
      UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
      UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32

  private let file: OutputFile
  private let open: Opening
  private let refused = Mutex<OutputError?>(nil)

  /// Names that a muxer gives files until they are complete.
  private static let temporary = ".tmp"

  /// - Parameter context: A muxer, which hands the callback to those that it uses. It must not outlive this object.
  init(of context: UnsafeMutablePointer<AVFormatContext>, _ file: OutputFile) {
    self.file = file
    unsafe open = unsafe context.pointee.io_open
    unsafe context.pointee.opaque = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe context.pointee.io_open = { context, opened, url, flags, options in
      guard let opaque = unsafe context?.pointee.opaque else { return hr_error_of_system(EINVAL) }
      let files = unsafe Unmanaged<MuxerFiles>.fromOpaque(opaque).takeUnretainedValue()
      if flags & AVIO_FLAG_WRITE != 0, let name = unsafe text(url), !files.add(name) {
        return hr_error_of_system(EEXIST)
      }
      return unsafe files.open(context, opened, url, flags, options)
    }
  }

  private func add(_ name: String) -> Bool {
    guard let path = MediaName.path(name) else { return true }
    do {
      try file.add(path)
      if path.hasSuffix(Self.temporary) { try file.add(String(path.dropLast(Self.temporary.count))) }
      return true
    } catch {
      refused.withLock { $0 = error }
      return false
    }
  }

  /// The file that may not be replaced; nil if none was wanted.
  var refusal: FFmpegError? { refused.withLock { error in error.map { .output($0) } } }
}
