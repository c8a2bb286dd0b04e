internal import FFmpegIO

extension ImageFileError {
  /// What FFmpeg could not code.
  static func notEncoded(_ format: String, _ error: FFmpegError) -> ImageFileError {
    switch error {
    case .outOfMemory: .outOfMemory
    case .failed(_, _, _, let message): .notEncoded(format: format, reason: message)
    default: .notEncoded(format: format, reason: error.description)
    }
  }
}
