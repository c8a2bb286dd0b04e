internal import FFmpegIO
internal import ImageFiles

/// What both kinds of writers can be told.
struct RunEnding {
  let size: @Sendable () -> Int
  let finish: () throws -> Void
  let cancel: () -> Void
  let discard: @Sendable () -> Void

  init(_ writer: MediaWriter) {
    size = { writer.bytesWritten }
    finish = {
      let ending = try writer.finish()
      ending.losses.forEach(Console.warning)
      if let failure = ending.failure(of: writer.settings.url) { throw failure }
    }
    cancel = { writer.cancel() }
    discard = { writer.discardFile() }
  }

  init(_ writer: ImageFileWriter) {
    size = { writer.bytesWritten }
    finish = { try writer.finish() }
    cancel = { writer.cancel() }
    discard = { writer.discardFiles() }
  }
}
