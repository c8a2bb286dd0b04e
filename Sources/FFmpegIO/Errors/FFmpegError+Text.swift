internal import Frames
internal import Media

extension FFmpegError: CustomStringConvertible {
  /// One sentence: what went wrong, where, and what to do.
  public var description: String {
    switch self {
    case .failed(let operation, let path, _, let message):
      "Cannot \(operation.rawValue) '\(path)': \(message)."
    case .emptyFile(let path): "'\(path)' is empty: copy or download it again."
    case .unrecognized(let path, let format):
      "'\(path)' was not recognized (FFmpeg's best guess is '\(format)'): it is damaged or not a media file."
    case .standardInputIsNotY4M:
      "Standard input is not Y4M, which is what '-' stands for: name the file."
    case .standardInputIsEmpty:
      "Standard input is empty: the program before the pipe has written nothing."
    case .namesOtherFiles(let path, let format, _):
      "'\(path)' has the format '\(format)', which opens files other than the one that was given."
    case .addressNotAllowed(let name, let scheme):
      "'\(name)' is an address, not a file, and its protocol, \(scheme), is not allowed."
    case .protocolNotAllowed(let path, let name):
      "'\(path)' names an address of the protocol '\(name)', which is not allowed."
    case .unknownInputFormat(let name):
      "This FFmpeg has no input format '\(name)': ffmpeg -demuxers lists them."
    case .noVideoStream(let path): "'\(path)' has no video stream: give a file that has one."
    case .unsupportedCodec(let name, let path):
      "This FFmpeg has no decoder for '\(name)', the codec of '\(path)': install a fuller build of FFmpeg."
    case .nothingDecoded(let path, let packets, let errors):
      "No picture of '\(path)' could be decoded (\(packets) packet\(packets == 1 ? "" : "s"), "
        + "\(errors) error\(errors == 1 ? "" : "s")): the file is damaged or encrypted."
    case .tooMuchDamage(let path, let errors, let limit):
      "'\(path)' is damaged in \(errors) place\(errors == 1 ? "" : "s"); at most \(limit) may be: get an intact copy."
    case .holdsSeveralFiles(let path):
      "'\(path)' holds several files, one after the other. Readers see only the first, or mix up their times."
    case .endsEarly(let path, let seconds):
      "'\(path)' is truncated at \((seconds * 100).rounded() / 100) s: get the complete file."
    case .noPictureSoFar(let path, let bytes):
      "'\(path)' has no picture in its first \(bytes >> 20) MiB: remove its other streams, or cut off its start."
    case .invalidSpecifier(let specifier): "'\(specifier)' is not an FFmpeg stream specifier."
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
    case .cannotDeinterlace(let name, let size, let path):
      "The pictures of '\(path)' (\(name), \(size)) cannot be deinterlaced: leave out deinterlacing, or convert them to "
        + "yuv422p10 first."
    case .unfitCrop(let area, let size, let actual, let path):
      "A picture of '\(path)' has the size \(actual), but the crop \(area) was chosen for \(size): process the parts "
        + "of different size separately."
    case .undividedCrop(let area, let multiples, let path):
      "A picture of '\(path)' cannot be cropped to \(area): columns have to be multiples of \(multiples.width), and rows "
        + "of \(multiples.height)\(multiples.height == 4 ? ", because it is interlaced: deinterlace it, or choose others" : "")."
    case .unknownEncoder(let name, let available):
      "This FFmpeg has no encoder '\(name)' for this kind of stream"
        + (available.isEmpty ? ": install a fuller build." : ": use one of \(available.joined(separator: ", ")).")
    case .unknownFormat(let name): "No output format matches '\(name)'."
    case .unsupportedLayout(let encoder, let wanted, let supported):
      "The encoder '\(encoder)' does not support \(wanted.words): "
        + (supported.isEmpty
          ? "it supports no layout that can be written."
          : supported.allSatisfy { $0.components == .gray }
            ? "Headroom can write only grey with it. Use ffv1, which is lossless and supports all layouts."
            : "it supports \(supported.map(\.words).joined(separator: ", ")).")
    case .unsupportedFrameRate(let encoder, let wanted, let isVariable, let supported):
      "The encoder '\(encoder)' supports only a few frame rates, and that of the input "
        + (isVariable ? "is variable" : wanted.map { "is \($0.rateWords)" } ?? "is unknown")
        + ": choose another encoder, or convert the input to one of "
        + "\(supported.map(\.rateWords).joined(separator: ", ")) first."
    case .unknownEncoderOption(let encoder, let name):
      "The encoder '\(encoder)' has no option '\(name)': check its name."
    case .invalidEncoderOption(let encoder, let name, let value):
      "The encoder '\(encoder)' does not accept '\(name)=\(value)': check the name of the option, and its value."
    case .outsideLimits(let encoder, let size, let rate, .frameRate(let limit)):
      "The encoder '\(encoder)' encodes at most \(Int(limit)) frames per second, not \(rate?.rateWords ?? "those of \(size)"): "
        + "choose another encoder."
    case .outsideLimits(let encoder, let size, _, .evenSize):
      "The encoder '\(encoder)' needs an even width and height for subsampled chroma, and the picture has \(size)."
    case .outsideLimits(let encoder, let size, _, .leastSize(let least)):
      "The encoder '\(encoder)' needs at least \(least), and the picture has \(size)."
    case .holdsNoVideo(let format):
      "\(format) does not hold video, or this FFmpeg has no encoder for it: choose another container, or name an encoder."
    case .codecNotHeld(let format, let encoder, let codec, let holders):
      "\(format) cannot hold \(codec), which '\(encoder)' makes: choose another encoder"
        + (holders.isEmpty ? "." : ", or a container that can: \(holders.joined(separator: ", ")).")
    case .hardwareIsMissing(let encoder, let lacks, let message):
      "The encoder '\(encoder)' cannot run on this machine: \(lacks.map(\.description).joined(separator: "; ")). "
        + "FFmpeg says: \(message). \(lacks.advice), or choose another encoder."
    case .hardwareFails(let encoder, let device, let message):
      "The encoder '\(encoder)' cannot use \(device.map { "'\($0)'" } ?? "the first device"): \(message). Check the driver and "
        + "its permissions, or choose another encoder."
    case .unknownMuxerOption(let format, let name):
      "The container '\(format)' has no option '\(name)': ffmpeg -h muxer=\(format) lists them."
    case .invalidMuxerOption(let format, let name, let value):
      "The container '\(format)' does not accept '\(value)' for its option '\(name)': ffmpeg -h muxer=\(format) lists what "
        + "it takes."
    case .unsupportedPictures(let format):
      "Pictures in \(format) are not written: write png, tiff, exr, avif or jxl."
    case .incompleteStatistics(let path, let frames, let all):
      "The statistics of the first pass for '\(path)' cover only \(frames) of \(all) frames. They are written to the folder of the "
        + "output: check that its disk has space."
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
    case .closed(let path): "'\(path)' is already closed: no frame can be written to it."
    case .noSubtitles(let path):
      "'\(path)' no longer has that subtitle stream: the file has changed."
    case .tooManySubtitles(let path, let count, let bytes):
      "'\(path)' has more subtitles than any film needs (\(count), \(bytes >> 20) MiB): the stream is damaged or not meant "
        + "to be shown."
    case .outOfMemory: "There is not enough memory: use a smaller picture or fewer threads."
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
