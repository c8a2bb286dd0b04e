internal import CFFmpeg
internal import Foundation
public import Frames
public import Media

/// An error between a file and its frames.
///
/// The end of a stream and "needs more input" are results, not errors.
public enum FFmpegError: Error, Sendable, Hashable {
  /// The operation that failed in FFmpeg.
  public enum Operation: String, Sendable, Hashable {
    /// Opening an input.
    case open = "open"
    /// Reading the headers of its streams.
    case readStreams = "find the streams of"
    /// Demuxing a packet.
    case read = "read"
    /// Seeking.
    case seek = "seek in"
    /// Opening a decoder.
    case openDecoder = "open the decoder for"
    /// Decoding a packet.
    case decode = "decode"
    /// Deinterlacing a decoded picture.
    case deinterlace = "deinterlace a picture of"
    /// Converting or scaling a decoded picture.
    case convert = "convert a picture of"
    /// Creating an output.
    case create = "create"
    /// Opening an encoder.
    case openEncoder = "open the encoder for"
    /// Encoding a frame.
    case encode = "encode for"
    /// Writing the container's header.
    case writeHeader = "write the header of"
    /// Muxing a packet.
    case write = "write to"
    /// Writing the container's trailer.
    case writeTrailer = "finish"
    /// Reading a finished output.
    case readBack = "read back"
  }

  /// A call of FFmpeg or the system failed with `code`; `message` is its text.
  case failed(Operation, path: String, code: Int32, message: String)
  /// The file is empty.
  case emptyFile(path: String)
  /// FFmpeg does not recognize the content; `format` is its best guess.
  case unrecognized(path: String, format: String)
  /// Standard input, which is Y4M unless a format is given, contains something else.
  case standardInputIsNotY4M
  /// Standard input is empty.
  case standardInputIsEmpty
  /// The content has a format that opens other files, which must be requested explicitly, for example by `suffix`.
  case namesOtherFiles(path: String, format: String, suffix: String?)
  /// The input is a URL whose protocol is not allowed.
  case addressNotAllowed(name: String, scheme: String)
  /// The file references something by a protocol that is not allowed.
  case protocolNotAllowed(path: String, name: String)
  /// FFmpeg has no input format of this name.
  case unknownInputFormat(name: String)
  /// The file has no video stream.
  case noVideoStream(path: String)
  /// No decoder for this codec is built into FFmpeg.
  case unsupportedCodec(name: String, path: String)
  /// No picture could be decoded.
  case nothingDecoded(path: String, packets: Int, errors: Int)
  /// There is more damage than allowed.
  case tooMuchDamage(path: String, errors: Int, limit: Int)
  /// The file is truncated; its last packet is at this time in seconds.
  case endsEarly(path: String, seconds: Double)
  /// The file contains several concatenated files of a kind that cannot be joined byte by byte.
  case holdsSeveralFiles(path: String)
  /// No picture was found in this many bytes.
  case noPictureSoFar(path: String, bytes: Int)
  /// Invalid FFmpeg stream specifier.
  case invalidSpecifier(String)
  /// Samples of this kind cannot be converted to a supported layout.
  case unsupportedPixelFormat(name: String, path: String)
  /// Samples are floating-point numbers, which swscale would clip at 1.0.
  case floatingPointSamples(name: String, path: String)
  /// A picture has an impossible size.
  case unsupportedSize(Size, path: String)
  /// The scale factor is out of range.
  case unsupportedScale(from: Size, to: Size, path: String)
  /// Interlaced pictures would be scaled from or to a height that is not a multiple of `multiple`.
  case undividedFields(from: Size, to: Size, multiple: Int, path: String)
  /// Samples or pictures of this kind cannot be deinterlaced.
  case cannotDeinterlace(name: String, Size, path: String)
  /// A crop was chosen for pictures of one size, but one has another.
  case unfitCrop(PictureArea, of: Size, actual: Size, path: String)
  /// A crop would cut chroma samples in two, or interchange the fields of an interlaced picture.
  case undividedCrop(PictureArea, multiples: Size, path: String)
  /// FFmpeg has no encoder of this name; `available` are similar ones.
  case unknownEncoder(name: String, available: [String])
  /// FFmpeg has no output format of this name, or none that matches the file name.
  case unknownFormat(name: String)
  /// The encoder does not support this layout.
  case unsupportedLayout(encoder: String, wanted: PixelLayout, supported: [PixelLayout])
  /// The encoder supports only these frame rates; the input has a different or variable one.
  case unsupportedFrameRate(encoder: String, wanted: Rational?, isVariable: Bool, supported: [Rational])
  /// The encoder does not have this option.
  case unknownEncoderOption(encoder: String, name: String)
  /// The encoder has the option but rejects this value.
  case invalidEncoderOption(encoder: String, name: String, value: String)
  /// The encoder cannot encode pictures of this size or rate.
  case outsideLimits(encoder: String, Size, Rational?, EncoderLimit)
  /// Pictures of this format would have wrong colours, or cannot be written.
  case unsupportedPictures(format: String)
  /// The container does not support video.
  case holdsNoVideo(format: String)
  /// The container does not support the encoder's codec; `holders` are some that do.
  case codecNotHeld(format: String, encoder: String, codec: String, holders: [String])
  /// The machine seems to lack something that a hardware encoder needs; `message` is FFmpeg's text.
  case hardwareIsMissing(encoder: String, [HardwareEncoder.Lack], message: String)
  /// A hardware encoder's device (nil: the first) cannot be used; `message` is FFmpeg's text.
  case hardwareFails(encoder: String, device: String?, message: String)
  /// The container does not have this option.
  case unknownMuxerOption(format: String, name: String)
  /// The container has the option but rejects this value.
  case invalidMuxerOption(format: String, name: String, value: String)
  /// The encoder failed to open; `message` is its log output.
  case encoderRejected(encoder: String, message: String)
  /// The statistics of a first pass have fewer frames than the encoder got.
  case incompleteStatistics(path: String, frames: Int, of: Int)
  /// The output file cannot be created or renamed.
  case output(OutputError)
  /// A frame does not have the size or layout that the output was opened with.
  case frameMismatch(expected: Size, expectedLayout: PixelLayout, actual: Size, actualLayout: PixelLayout)
  /// Neither the container nor the coded stream supports this.
  case notHeld(format: String, encoder: String, what: [String])
  /// The finished file has its pictures but lacks this; it is kept.
  case incomplete(path: String, what: [String])
  /// The finished file lacks this.
  case notKept(path: String, what: [String])
  /// A text is not a table of times; `place` is the index of the first unreadable entry, from 0.
  case invalidTimes(place: Int)
  /// A piece of a film does not match its table of times, or cannot be joined; `what` completes the sentence "it ...".
  case unfitPiece(path: String, what: String)
  /// `finish()` or `cancel()` was called earlier.
  case closed(path: String)
  /// The output was given stream data that is not from a `MediaReader`.
  case unknownData(path: String)
  /// The requested stream is missing, or does not contain subtitles.
  case noSubtitles(path: String)
  /// Subtitles exceed the memory limits; the values are their number and bytes.
  case tooManySubtitles(path: String, count: Int, bytes: Int)
  /// The system is out of memory.
  case outOfMemory

  /// Whether the error is the system's rather than a decoder's or container's: a retry may succeed, continuing cannot.
  static func isOfSystem(_ code: Int32) -> Bool {
    [EIO, ENXIO, ENODEV, ENOENT, ESTALE, EBADF, ETIMEDOUT, ECONNRESET, ECONNABORTED, EPIPE, ENETDOWN, EHOSTDOWN]
      .contains { hr_error_of_system($0) == code }
  }

  /// The result of `body`, with errors converted.
  static func output<Result>(_ body: () throws(OutputError) -> Result) throws(FFmpegError) -> Result {
    do { return try body() } catch { throw .output(error) }
  }

  /// The reason in FFmpeg's log, without advice that only applies to its command line.
  private static func reason(in lines: [String]) -> String? {
    let lines = lines.filter { !$0.isEmpty && !$0.contains("-strict") && !$0.contains("ff_frame_thread_encoder_init") }
    // A long list of valid profiles follows.
    if lines.contains(where: { $0.contains("Valid DNxHD profiles") }) {
      return "DNxHD has no profile for these pictures"
    }
    return lines.last
  }

  /// A failed call, with FFmpeg's text for `code` unless `detail` says more.
  static func failure(_ operation: Operation, _ path: String, _ code: Int32, detail: [String] = []) -> FFmpegError {
    if code == hr_error_no_memory() { return .outOfMemory }
    var buffer = [CChar](repeating: 0, count: 256)
    let known = unsafe av_strerror(code, &buffer, buffer.count) >= 0
    let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
    var text = known ? String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self) : "code \(code)"
    if let reason = reason(in: detail), reason != text {
      // The system's text states more than the library's message.
      text = known && isOfSystem(code) || SystemCode.isWorthRetrying(code) ? "\(text); \(reason)" : reason
    }
    // The surrounding sentence ends with a full stop.
    while text.last == "." { text.removeLast() }
    return .failed(operation, path: path, code: code, message: text)
  }

  /// The reason why an encoder does not open: too little memory, or unsupported settings. Libraries have no error code
  /// for the former. They may log it, and memory may still be short after they have released theirs.
  /// - Parameter hasMemory: As much memory as the encoder needs is available.
  package static func rejection(
    of encoder: String, _ path: String, _ code: Int32, _ lines: [String], hasMemory: Bool
  ) -> FFmpegError {
    let failure = failure(.openEncoder, path, code, detail: lines)
    // A failure to create a thread has the system's code.
    guard case .failed(_, _, _, let message) = failure, abs(code) != EAGAIN else { return failure }
    // x264, SVT-AV1, libaom and libvpx.
    let complaints = ["malloc of size", "allocate memory", "Memory allocation"]
    let isLogged = lines.contains { line in complaints.contains { line.contains($0) } }
    return isLogged || !hasMemory ? .outOfMemory : .encoderRejected(encoder: encoder, message: message)
  }

  /// A failed Foundation call, with the underlying system code.
  static func failure(_ operation: Operation, _ path: String, _ error: any Error) -> FFmpegError {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain
    else { return .failed(operation, path: path, code: 0, message: error.localizedDescription) }
    return .failure(operation, path, hr_error_of_system(Int32(cause.code)))
  }
}

extension FFmpegError: Failure {
  public var kind: FailureKind {
    switch self {
    case .unknownEncoder, .unknownFormat, .unsupportedLayout, .unknownEncoderOption, .invalidEncoderOption,
      .unknownMuxerOption, .invalidMuxerOption, .encoderRejected, .unsupportedFrameRate, .outsideLimits, .codecNotHeld,
      .holdsNoVideo, .unsupportedPictures, .invalidSpecifier, .unknownInputFormat, .addressNotAllowed:
      .invalidRequest
    case .outOfMemory: .temporary
    // No thread could be created for the decoder.
    case .failed(.openDecoder, _, let code, _) where abs(code) == EAGAIN: .temporary
    case .failed(.openEncoder, _, let code, _) where abs(code) == EAGAIN: .temporary
    // FFmpeg negates the system's codes.
    case .failed(_, _, let code, _): SystemCode.isWorthRetrying(code) ? .temporary : .failed
    case .output(let error): error.kind
    default: .failed
    }
  }
}
