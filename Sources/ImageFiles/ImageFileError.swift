internal import FFmpegIO
public import Media

/// An error in reading or writing a picture file.
public enum ImageFileError: Failure, Sendable, Hashable {
  /// The file cannot be read, or is damaged; `reason` is the library's message.
  case unreadable(path: String, reason: String)
  /// The file contains something that Headroom does not support.
  case unsupported(path: String, reason: String)
  /// The picture could not be encoded; `reason` is the library's message.
  case notEncoded(format: String, reason: String)
  /// The system is out of memory.
  case outOfMemory

  /// From an error of FFmpeg.
  static func notEncoded(_ format: String, _ error: FFmpegError) -> ImageFileError {
    switch error {
    case .outOfMemory: .outOfMemory
    case .failed(_, _, _, let message): .notEncoded(format: format, reason: message)
    default: .notEncoded(format: format, reason: error.description)
    }
  }

  public var kind: FailureKind { self == .outOfMemory ? .temporary : .failed }

  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "Cannot read '\(path)': \(reason)."
    case .unsupported(let path, let reason): "'\(path)' cannot be processed: \(reason)."
    case .notEncoded(let format, let reason): "Cannot write \(format): \(reason)."
    case .outOfMemory: "The system has no memory left."
    }
  }
}
