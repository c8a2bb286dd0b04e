internal import Glibc
public import Media

/// A reason why capturing from a device, or writing to it, fails.
public enum CaptureError: Failure, Sendable, Hashable {
  /// The file is not a V4L2 device or cannot be opened: an `errno` value.
  case cannotOpen(path: String, code: Int32)
  /// The V4L2 device does not capture video, or does not support streaming.
  case isNoCaptureDevice(path: String, name: String)
  /// The device offers no readable format: the formats it offers.
  case hasNoFormat(path: String, offered: [FourCC])
  /// The device does not offer the requested mode: the modes it offers.
  case hasNoMode(path: String, asked: String, offered: [CaptureMode])
  /// A frame of the mode is too large.
  case isTooLarge(path: String, mode: CaptureMode, bytes: Int, maximum: Int)
  /// The device does not have the requested input: the names of its inputs.
  case hasNoInput(path: String, asked: Int, offered: [String])
  /// The device's format is coded, and no decoder is available.
  case hasNoDecoder(path: String, format: FourCC)
  /// The device's stream cannot be decoded: the decoder's reason.
  case cannotDecode(path: String, reason: String)
  /// A request failed: an `errno` value.
  case requestFailed(path: String, request: String, code: Int32)
  /// The setup that the device reports is inconsistent.
  case isInconsistent(path: String, reason: String)
  /// The device was unplugged or its driver unloaded.
  case isGone(path: String)
  /// The V4L2 device does not accept video.
  case isNoOutputDevice(path: String, name: String)
  /// The device accepts no writable format: the formats it accepts.
  case hasNoOutputFormat(path: String, offered: [FourCC])
  /// The frame does not match the size and layout that the device was set up for.
  case doesNotFit(path: String, frame: String, device: String)
  /// The device has accepted no frame for several seconds.
  case takesNothing(path: String)

  /// A failed request; ENODEV: the device is gone.
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
  /// The sentence without its full stop, for embedding in another.
  fileprivate var withoutFullStop: Substring { hasSuffix(".") ? dropLast() : self[...] }
}
