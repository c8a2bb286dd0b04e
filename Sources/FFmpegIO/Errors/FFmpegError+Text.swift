internal import Frames
internal import Media

extension FFmpegError: CustomStringConvertible {
  /// One sentence: what was wrong, where, and what to do.
  public var description: String {
    switch self {
    case .failed(let operation, let path, _, let message):
      "Cannot \(operation.rawValue) '\(path)': \(message)."
    case .emptyFile(let path):
      "'\(path)' is empty: copy or download it again."
    case .unrecognized(let path, let format):
      "'\(path)' was not recognized (FFmpeg's best guess is '\(format)'): it is damaged or not a media file."
    case .namesOtherFiles(let path, let format, _):
      "'\(path)' has the format '\(format)', which opens files other than the one that was given."
    case .addressNotAllowed(let name, let scheme):
      "'\(name)' is an address, not a file, and its protocol, \(scheme), is not allowed."
    case .protocolNotAllowed(let path, let name):
      "'\(path)' names an address of the protocol '\(name)', which is not allowed."
    case .unknownInputFormat(let name):
      "This FFmpeg has no input format '\(name)': ffmpeg -demuxers lists them."
    case .noVideoStream(let path):
      "'\(path)' has no video stream: give a file that has one."
    case .unsupportedCodec(let name, let path):
      "This FFmpeg has no decoder for '\(name)', the codec of '\(path)': install a fuller build of FFmpeg."
    case .nothingDecoded(let path, let packets, let errors):
      "No picture of '\(path)' could be decoded (\(packets) packets, \(errors) errors): the file is damaged or encrypted."
    case .tooMuchDamage(let path, let errors, let limit):
      "'\(path)' is damaged in \(errors) place\(errors == 1 ? "" : "s"); at most \(limit) may be: get an intact copy."
    case .endsEarly(let path, let seconds):
      "'\(path)' is truncated at \((seconds * 100).rounded() / 100) s: get the complete file."
    case .noPictureSoFar(let path, let bytes):
      "'\(path)' has no picture in its first \(bytes >> 20) MiB: remove its other streams, or cut off its start."
    case .invalidSpecifier(let specifier):
      "'\(specifier)' is not an FFmpeg stream specifier."
    case .unsupportedPixelFormat(let name, let path):
      "The pixel format '\(name)' of '\(path)' is not supported: convert it to YCbCr or RGB first."
    case .floatingPointSamples(let name, let path):
      "The samples of '\(path)' are floating-point numbers (\(name)), which can only be read from OpenEXR, TIFF and "
        + "JPEG XL files, not from a pipe: convert them to OpenEXR first."
    case .unsupportedSize(let size, let path):
      "The size of a picture in '\(path)' is not supported: \(size)."
    case .unsupportedScale(let from, let to, let path):
      "The pictures of '\(path)' cannot be scaled from \(from) to \(to): width and height must be "
        + "\(PictureScaling.extents.lowerBound) to \(PictureScaling.extents.upperBound), at a ratio swscale allows."
    case .undividedFields(let from, let to, let multiple, let path):
      "'\(path)' is interlaced and cannot be scaled from \(from) to \(to): to keep its fields apart, both heights "
        + "must be multiples of \(multiple)."
    case .unknownEncoder(let name, let available):
      "This FFmpeg has no encoder '\(name)' for this kind of stream"
        + (available.isEmpty ? ": install a fuller build." : ": use one of \(available.joined(separator: ", ")).")
    case .unknownFormat(let name):
      "No output format matches '\(name)'."
    case .unsupportedLayout(let encoder, let wanted, let supported):
      "The encoder '\(encoder)' does not support \(wanted.words): "
        + (supported.isEmpty
          ? "it supports no layout that can be written."
          : "it supports \(supported.map(\.words).joined(separator: ", ")).")
    case .unsupportedFrameRate(let encoder, let wanted, let isVariable, let supported):
      "The encoder '\(encoder)' supports only a few frame rates, and that of the input "
        + (isVariable ? "is variable" : wanted.map { "is \($0.rateWords)" } ?? "is unknown")
        + ": choose another encoder, or convert the input to one of "
        + "\(supported.map(\.rateWords).joined(separator: ", ")) first."
    case .unknownEncoderOption(let encoder, let name):
      "The encoder '\(encoder)' has no option '\(name)': check its name."
    case .invalidEncoderOption(let encoder, let name, let value):
      "The encoder '\(encoder)' does not accept '\(value)' for its option '\(name)'."
    case .encoderRejected(let encoder, let message):
      "The encoder '\(encoder)' would not start: \(message)."
    case .output(let error): error.description
    case .frameMismatch(let expected, let expectedLayout, let actual, let actualLayout):
      "The output was opened for \(expected) \(expectedLayout.words) but was given \(actual) \(actualLayout.words)."
    case .notHeld(let format, let encoder, let what):
      "\(format) with \(encoder) does not hold \(what.joined(separator: ", ")): choose mp4 or matroska, or libx265 or "
        + "libsvtav1."
    case .incomplete(let path, let what):
      "'\(path)' was read back and does not hold \(what.joined(separator: ", ")): what it holds is kept. Choose another "
        + "container for the rest (matroska holds most)."
    case .notKept(let path, let what):
      "'\(path)' was read back and does not hold \(what.joined(separator: ", ")): it was removed. Choose another "
        + "container or encoder (mp4 or matroska, libx265 or libsvtav1)."
    case .unknownData(let path):
      "'\(path)' can store only the packets of a media file beside its pictures, not other data."
    case .invalidTimes(let place):
      "The table of frame times is damaged at entry \(place): render the piece that it belongs to again."
    case .unfitPiece(let path, let what):
      "The piece '\(path)' cannot be joined: it \(what). Render it again."
    case .closed(let path):
      "'\(path)' is already closed: no frame can be written to it."
    case .outOfMemory:
      "There is not enough memory: use a smaller picture or fewer threads."
    }
  }
}

extension Rational {
  /// Frame rate for messages: "25", "30000/1001".
  fileprivate var rateWords: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension PixelLayout {
  /// The layout in words, for messages: "10-bit 4:2:0".
  var words: String {
    let samples =
      switch components {
      case .ycbcr420: "4:2:0"
      case .ycbcr422: "4:2:2"
      case .ycbcr444: "4:4:4"
      case .rgb: "RGB"
      case .gray: "4:0:0"
      }
    if self.samples == .half { return "half-float RGB" }
    return "\(bitDepth)-bit \(samples)" + (packing == .semiplanar ? " semi-planar" : "")
  }
}
