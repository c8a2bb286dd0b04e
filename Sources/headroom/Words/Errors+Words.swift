internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Media
internal import Rendering

/// A library's error with advice on command line options.
protocol AdvisedError: Error, CustomStringConvertible {
  /// Sentences that name options.
  var advice: String? { get }
  /// The exit status.
  var status: ExitStatus { get }
}

extension AdvisedError {
  /// The description and advice.
  var words: String { description + (advice.map { " " + $0 } ?? "") }

  var status: ExitStatus { .failed }
}

extension AdvisedError where Self: Failure {
  var status: ExitStatus { ExitStatus(kind) }
}

extension FFmpegError: AdvisedError {
  var advice: String? {
    switch self {
    case .floatingPointSamples: "ffmpeg -i INPUT -c:v exr -format float OUTPUT.exr does that."
    case .standardInputIsNotY4M:
      "Or convert it on the way, ffmpeg -i INPUT -f yuv4mpegpipe -strict -1 - | headroom ..., or say what it is with "
        + "--input-format (matroska, mpegts, mp4 with its index first)."
    case .unrecognized: "If you know the format, give it with --input-format."
    case .namesOtherFiles(_, let format, let suffix):
      "If that is what you want, allow it with --input-format \(format)"
        + (suffix.map { ", or give the file the suffix .\($0)." } ?? ".")
    case .addressNotAllowed(_, let scheme): "Allow its protocol with --allow-protocols \(scheme)."
    case .protocolNotAllowed(_, let name):
      "If that is what you want, allow it with --allow-protocols \(name)."
    case .tooMuchDamage: "--max-errors allows more."
    case .endsEarly: "--keep-partial keeps what is there."
    case .holdsSeveralFiles:
      "Join the original files with a program that knows the container: ffmpeg -f concat, or mkvmerge."
    case .invalidSpecifier: "Write 0:v, 0:a:1, 0:s:m:language:eng, ... as for ffmpeg's -map."
    case .unknownFormat: "Name one with -f: mp4, matroska, nut, yuv4mpegpipe, null, ..."
    case .outsideLimits(_, let size, _, .evenSize):
      "--scale \(size.even.width)x\(size.even.height) makes it even; --crop \(size.even.width):\(size.even.height):0:0 cuts "
        + "the last column or row off."
    case .outsideLimits(_, _, _, .leastSize): "Enlarge it with --scale, or choose another -c:v."
    case .encoderRejected(_, let message) where message.contains("xperimental"):
      "FFmpeg does not call it reliable yet: choose another encoder (audio: aac, ac3, flac, libopus)."
    case .encoderRejected(_, let message) where message.isAboutSize:
      "Change the size with --scale, or choose another -c:v."
    case .encoderRejected(_, let message) where message.contains("DNxHD has no profile"):
      "DNxHD has fixed sizes, rates and bit rates; --encoder-options profile=dnxhr_hq takes any size."
    case .failed(.encode, _, let code, _) where !SystemCode.isWorthRetrying(code):
      "Choose another encoder (-c:v, -c:a), or other options for it."
    case .failed(.writeHeader, _, _, _):
      "Choose another container (matroska holds most), another encoder, or leave streams out with --map."
    case .hardwareIsMissing: "headroom doctor lists what each one needs."
    case .hardwareFails: "--hw-device names another device."
    case .unsupportedLayout(_, _, let supported) where supported.isEmpty: "Choose another with -c:v."
    case .unsupportedFrameRate: "-c:v libx264, libx265 and ffv1 accept any rate."
    case .incomplete: "If you can do without what is missing, exclude it with --map."
    default: nil
    }
  }
}

extension Size {
  /// The next smaller even size, at least 2x2.
  fileprivate var even: Size { Size(width: max(2, width & ~1), height: max(2, height & ~1)) }
}

extension String {
  fileprivate var isAboutSize: Bool {
    ["size", "width", "height", "dimension", "resolution"].contains { lowercased().contains($0) }
  }
}

extension OutputError {
  var words: String {
    switch self {
    case .failed(.write, let path, _, let message) where path == "-": "Cannot write to standard output: \(message)."
    case .exists: description + " Or add --overwrite."
    default: description
    }
  }
}

extension RenderingError: AdvisedError {
  var advice: String? {
    switch self {
    case .undefinedMatrix(.rgb, _, _): "Give the right matrix with --input-matrix."
    case .undefinedMatrix: "If a tag is wrong, override it with --input-matrix or --input-transfer."
    case .interlacedTurn: "Or omit --bake-rotation (dump: use --no-bake-rotation)."
    default: nil
    }
  }
}

extension MeasurementError: AdvisedError {
  var advice: String? {
    if case .notAMeasurement = self { "Create one with headroom measure." } else { nil }
  }
}
