internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Measurement
internal import Media
internal import Rendering

extension FFmpegError {
  /// Its message, with options that would help.
  var words: String {
    if case .output(let error) = self { return error.words }
    return description + (advice.map { " " + $0 } ?? "")
  }

  private var advice: String? {
    switch self {
    case .floatingPointSamples: "ffmpeg -i INPUT -c:v exr -format float OUTPUT.exr does that."
    case .unrecognized: "If you know the format, give it with --input-format."
    case .namesOtherFiles(_, let format, let suffix):
      "If that is what you want, allow it with --input-format \(format)"
        + (suffix.map { ", or give the file the suffix .\($0)." } ?? ".")
    case .addressNotAllowed(_, let scheme): "Allow its protocol with --allow-protocols \(scheme)."
    case .protocolNotAllowed(_, let name):
      "If that is what you want, allow it with --allow-protocols \(name)."
    case .tooMuchDamage: "--max-errors allows more."
    case .endsEarly: "--keep-partial keeps what is there."
    case .invalidSpecifier: "Write 0:v, 0:a:1, 0:s:m:language:eng, ... as for ffmpeg's -map."
    case .unknownFormat: "Name one with -f: mp4, matroska, nut, yuv4mpegpipe, null, ..."
    case .unsupportedLayout(_, _, let supported) where supported.isEmpty: "Choose another with -c:v."
    case .unsupportedFrameRate: "-c:v libx264, libx265 and ffv1 accept any rate."
    case .incomplete: "If you can do without what is missing, exclude it with --map."
    default: nil
    }
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

extension RenderingError {
  var words: String {
    switch self {
    case .unsupportedMatrix(let matrix):
      "Matrix coefficients '\(matrix)' (H.273 code \(matrix.rawValue)) cannot be written."
    case .undefinedMatrix(.rgb, _, _):
      "The video is tagged as subsampled R'G'B' (matrix coefficients 0), which does not exist: give the right matrix "
        + "with --input-matrix."
    case .undefinedMatrix(let matrix, _, let transfer):
      "Matrix coefficients '\(matrix)' (H.273 code \(matrix.rawValue)) are not defined with the transfer "
        + "characteristics '\(transfer)': if a tag is wrong, override it with --input-matrix or --input-transfer."
    case .unsupportedSource(let layout):
      "\(layout.bitDepth)-bit frames cannot be read: convert them to 8, 10 or 12 bits first."
    case .unsupportedTarget(let layout):
      "Frames cannot be written as \(layout)."
    case .interlacedTurn:
      "Interlaced pictures cannot be rotated: omit --bake-rotation (dump: use --no-bake-rotation), or deinterlace."
    case .formatMismatch(let expected, let actual):
      "The video changes from \(expected.size) to \(actual.size) mid-stream: split it there and process the parts "
        + "separately."
    }
  }
}

extension MeasurementError {
  var words: String {
    switch self {
    case .unreadable(let path, let reason): "Cannot read '\(path)': \(reason)"
    case .notAMeasurement(let path, let reason):
      "'\(path)' is not a measurement (\(reason)): create one with headroom measure."
    }
  }
}
