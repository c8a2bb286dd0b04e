internal import Glibc
public import Media

/// Why a device cannot be captured from.
public enum CaptureError: Failure, Sendable, Hashable {
  /// The file is no V4L2 device, or cannot be opened: a value of `errno`.
  case cannotOpen(path: String, code: Int32)
  /// It is a V4L2 device, but captures no video, or does not stream.
  case isNoCaptureDevice(path: String, name: String)
  /// It has none of the formats that can be read: what it has.
  case hasNoFormat(path: String, offered: [FourCC])
  /// It has no such mode: those that it has.
  case hasNoMode(path: String, asked: String, offered: [CaptureMode])
  /// A frame of the mode has too many bytes.
  case isTooLarge(path: String, mode: CaptureMode, bytes: Int, maximum: Int)
  /// It has no such input: the names of those that it has.
  case hasNoInput(path: String, asked: Int, offered: [String])
  /// Its format is coded, and there is nothing to decode it with.
  case hasNoDecoder(path: String, format: FourCC)
  /// Its stream cannot be decoded: what the decoder says.
  case cannotDecode(path: String, reason: String)
  /// A request failed: a value of `errno`.
  case requestFailed(path: String, request: String, code: Int32)
  /// It has set up something that its own numbers contradict.
  case isInconsistent(path: String, reason: String)
  /// It was unplugged, or its driver has gone.
  case isGone(path: String)
  /// It is a V4L2 device, but takes no video.
  case isNoOutputDevice(path: String, name: String)
  /// It takes none of the formats that can be written: what it takes.
  case hasNoOutputFormat(path: String, offered: [FourCC])
  /// It takes frames of one size and layout, and was given another.
  case doesNotFit(path: String, frame: String, device: String)
  /// It has taken no frame for some seconds.
  case takesNothing(path: String)

  /// A request failed; ENODEV: the device has gone.
  static func failed(_ request: String, _ path: String, _ code: Int32) -> CaptureError {
    code == ENODEV ? .isGone(path: path) : .requestFailed(path: path, request: request, code: code)
  }

  public var kind: FailureKind {
    switch self {
    case .cannotOpen(_, let code), .requestFailed(_, _, let code): code == EBUSY ? .temporary : .failed
    case .hasNoMode, .isTooLarge, .hasNoInput: .invalidRequest
    default: .failed
    }
  }

  public var description: String {
    switch self {
    case .cannotOpen(let path, let code): "Cannot open the device '\(path)': \(SystemCode.text(code))."
    case .isNoCaptureDevice(let path, let name): "'\(path)' (\(name)) does not capture video."
    case .hasNoFormat(let path, let offered):
      "'\(path)' has no format that can be read; it offers \(offered.map(\.text).joined(separator: ", "))."
    case .hasNoMode(let path, let asked, let offered):
      "'\(path)' has no mode \(asked): choose one of\(CaptureMode.table(of: offered))"
    case .isTooLarge(let path, let mode, let bytes, let maximum):
      "A frame of '\(path)' at \(mode) has \(bytes >> 20) MiB, and at most \(maximum >> 20) MiB are captured: choose a smaller size."
    case .hasNoInput(let path, let asked, let offered):
      offered.isEmpty
        ? "'\(path)' has no inputs to choose from."
        : "'\(path)' has no input \(asked): choose one of "
          + "\(offered.enumerated().map { "\($0.offset) (\($0.element))" }.joined(separator: ", "))."
    case .hasNoDecoder(let path, let format): "'\(path)' delivers \(format.text), and there is no decoder for it."
    case .cannotDecode(let path, let reason): "The stream of '\(path)' cannot be decoded: \(reason.withoutFullStop)."
    case .requestFailed(let path, let request, let code):
      "The device '\(path)' refuses \(request): \(SystemCode.text(code))."
    case .isInconsistent(let path, let reason): "The device '\(path)' contradicts itself: \(reason)."
    case .isGone(let path): "The device '\(path)' was unplugged."
    case .isNoOutputDevice(let path, let name): "'\(path)' (\(name)) takes no video."
    case .hasNoOutputFormat(let path, let offered):
      "'\(path)' takes no format that can be written; it takes \(offered.map(\.text).joined(separator: ", "))."
    case .doesNotFit(let path, let frame, let device): "The device '\(path)' takes \(device), not \(frame)."
    case .takesNothing(let path): "The device '\(path)' takes no more frames."
    }
  }
}

extension String {
  /// A sentence that goes on.
  fileprivate var withoutFullStop: Substring { hasSuffix(".") ? dropLast() : self[...] }
}
