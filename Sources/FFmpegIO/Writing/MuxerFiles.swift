internal import CFFmpeg
internal import Glibc
internal import Media
internal import Synchronization

/// Follows which files a muxer opens by itself, as the segments of a playlist: none is replaced unasked, none stays of an output
/// that fails, and none is half written without an error.
@safe
final class MuxerFiles: Sendable {
  // @safe: the callback of FFmpeg is only called with what FFmpeg passes on.
  private typealias Opening =
    @convention(c) (
      UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
      UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32

  private typealias Closing =
    @convention(c) (UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<AVIOContext>?) -> Int32

  private let file: OutputFile
  private let open: Opening
  private let close: Closing
  private let first = Mutex<FFmpegError?>(nil)

  /// Names that a muxer gives files until they are complete.
  private static let temporary = ".tmp"

  /// - Parameter context: The muxer; those that it uses inherit its callbacks. It must not outlive this object.
  init(of context: UnsafeMutablePointer<AVFormatContext>, _ file: OutputFile) {
    self.file = file
    unsafe (open, close) = unsafe (context.pointee.io_open, context.pointee.io_close2)
    unsafe context.pointee.opaque = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe context.pointee.io_open = { context, opened, url, flags, options in
      guard let files = unsafe MuxerFiles.of(context) else { return hr_error_of_system(EINVAL) }
      if flags & AVIO_FLAG_WRITE != 0, let name = unsafe text(url), !files.add(name) {
        return hr_error_of_system(EEXIST)
      }
      return unsafe files.open(context, opened, url, flags, options)
    }
    unsafe context.pointee.io_close2 = { context, opened in
      guard let files = unsafe MuxerFiles.of(context) else { return hr_error_of_system(EINVAL) }
      // Muxers pass over errors of writing.
      if let opened = unsafe opened, unsafe opened.pointee.write_flag != 0 {
        unsafe avio_flush(opened)
        let code = unsafe opened.pointee.error
        if code < 0 { files.note(.failure(.write, files.file.name, code)) }
      }
      return unsafe files.close(context, opened)
    }
  }

  private static func of(_ context: UnsafeMutablePointer<AVFormatContext>?) -> MuxerFiles? {
    unsafe context?.pointee.opaque.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  private func note(_ error: FFmpegError) { first.withLock { $0 = $0 ?? error } }

  private func add(_ name: String) -> Bool {
    guard let path = MediaName.path(name) else { return true }
    do {
      try file.add(path)
      if path.hasSuffix(Self.temporary) { try file.add(String(path.dropLast(Self.temporary.count))) }
      return true
    } catch {
      note(.output(error))
      return false
    }
  }

  /// A file that may not be replaced, or could not be written; nil if there is none.
  var failure: FFmpegError? { first.withLock { $0 } }
}
