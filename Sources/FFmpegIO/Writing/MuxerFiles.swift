internal import CFFmpeg
internal import Glibc
internal import Media
internal import Synchronization

/// Tracks files that a muxer opens itself, such as playlist segments: none is replaced without permission, none remains
/// of a failed output, and incomplete files are reported.
@safe
final class MuxerFiles: Sendable {
  // @safe: FFmpeg's callback is only called with arguments that FFmpeg passes on.
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

  /// Suffix of a muxer's incomplete files.
  private static let temporary = ".tmp"

  /// - Parameter context: The muxer; nested muxers inherit its callbacks. It must not outlive this object.
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
      // Muxers ignore write errors.
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

  /// The error of a file that must not be replaced, or could not be written; nil: none.
  var failure: FFmpegError? { first.withLock { $0 } }
}
