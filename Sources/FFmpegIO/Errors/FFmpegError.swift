internal import CFFmpeg
internal import Foundation
public import Frames
public import Media

/// What can go wrong between a file and its frames.
///
/// The end of a stream and "needs more input" are results, not errors.
public enum FFmpegError: Error, Sendable, Hashable {
  /// What was being done when FFmpeg gave a code.
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
  }

  /// A call into FFmpeg or the system failed with `code`; `message` is its own text.
  case failed(Operation, path: String, code: Int32, message: String)
  /// The file has no byte in it.
  case emptyFile(path: String)
  /// Nothing is in the file that FFmpeg knows; `format` is what it took it for.
  case unrecognized(path: String, format: String)
  /// The content is of a format that opens other files, which nobody asked for; `suffix` would ask for it.
  case namesOtherFiles(path: String, format: String, suffix: String?)
  /// The input is an address, and its protocol is not allowed.
  case addressNotAllowed(name: String, scheme: String)
  /// What the file names is reached by a protocol that is not allowed.
  case protocolNotAllowed(path: String, name: String)
  /// FFmpeg has no input format of this name.
  case unknownInputFormat(name: String)
  /// There is no stream of moving pictures in the file.
  case noVideoStream(path: String)
  /// No decoder for this codec is built into FFmpeg.
  case unsupportedCodec(name: String, path: String)
  /// Not one picture could be decoded.
  case nothingDecoded(path: String, packets: Int, errors: Int)
  /// There is more damage than was allowed.
  case tooMuchDamage(path: String, errors: Int, limit: Int)
  /// The file stops before its end; the last packet that is there is at this time in seconds.
  case endsEarly(path: String, seconds: Double)
  /// So many bytes of other streams came and not one picture.
  case noPictureSoFar(path: String, bytes: Int)
  /// What is no stream specifier of FFmpeg.
  case invalidSpecifier(String)
  /// Samples of this kind cannot be brought into a layout that Headroom works with.
  case unsupportedPixelFormat(name: String, path: String)
  /// Samples are floating-point numbers, which swscale would clip at 1.0.
  case floatingPointSamples(name: String, path: String)
  /// A picture has an impossible size.
  case unsupportedSize(Size, path: String)
  /// A picture would be scaled to less or more than can be.
  case unsupportedScale(from: Size, to: Size, path: String)
  /// Interlaced pictures would be scaled from or to a height that is no multiple of this.
  case undividedFields(from: Size, to: Size, multiple: Int, path: String)
  /// FFmpeg has no encoder of this name; `available` are similar ones.
  case unknownEncoder(name: String, available: [String])
  /// FFmpeg has no output format of this name, or none that goes with this file name.
  case unknownFormat(name: String)
  /// The encoder does not take this layout; `supported` are those that it takes.
  case unsupportedLayout(encoder: String, wanted: PixelLayout, supported: [PixelLayout])
  /// The encoder codes frames at these rates only, and the input has another, or one that changes.
  case unsupportedFrameRate(encoder: String, wanted: Rational?, isVariable: Bool, supported: [Rational])
  /// The encoder does not know this option.
  case unknownEncoderOption(encoder: String, name: String)
  /// The encoder knows the option but not this value.
  case invalidEncoderOption(encoder: String, name: String, value: String)
  /// The encoder would not open; `message` is what it said.
  case encoderRejected(encoder: String, message: String)
  /// The file of the output cannot be made, or cannot get its name.
  case output(OutputError)
  /// A frame does not have the size or layout that the output was opened with.
  case frameMismatch(expected: Size, expectedLayout: PixelLayout, actual: Size, actualLayout: PixelLayout)
  /// Neither the container nor the coded stream has a place for this.
  case notHeld(format: String, encoder: String, what: [String])
  /// The finished file, read back, has its pictures but not this; it is there under its name.
  case incomplete(path: String, what: [String])
  /// The finished file, read back, does not hold this.
  case notKept(path: String, what: [String])
  /// `finish()` or `cancel()` came before.
  case closed(path: String)
  /// The system has no memory left.
  case outOfMemory
}

extension FFmpegError {
  /// The code is of the system and not of a decoder or a container: reading again may go well, reading on cannot.
  static func isOfSystem(_ code: Int32) -> Bool {
    [EIO, ENXIO, ENODEV, ENOENT, ESTALE, EBADF, ETIMEDOUT, ECONNRESET, ECONNABORTED, EPIPE, ENETDOWN, EHOSTDOWN]
      .contains { hr_error_of_system($0) == code }
  }

  /// What `body` gives; its error as one of these.
  static func output<Result>(_ body: () throws(OutputError) -> Result) throws(FFmpegError) -> Result {
    do { return try body() } catch { throw .output(error) }
  }

  /// A failed call, with FFmpeg's own text for `code` unless `detail` says more.
  static func failure(_ operation: Operation, _ path: String, _ code: Int32, detail: [String] = []) -> FFmpegError {
    if code == hr_error_no_memory() { return .outOfMemory }
    var buffer = [CChar](repeating: 0, count: 256)
    let known = unsafe av_strerror(code, &buffer, buffer.count) >= 0
    let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
    var text = known ? String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self) : "code \(code)"
    if let last = detail.last(where: { !$0.isEmpty }) { text += "; \(last)" }
    // The sentence around it has its own full stop.
    while text.last == "." { text.removeLast() }
    return .failed(operation, path: path, code: code, message: text)
  }

  /// A failed call of Foundation's, by the system's code beneath it.
  static func failure(_ operation: Operation, _ path: String, _ error: any Error) -> FFmpegError {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain else {
      return .failed(operation, path: path, code: 0, message: error.localizedDescription)
    }
    return .failure(operation, path, hr_error_of_system(Int32(cause.code)))
  }
}

extension FFmpegError: Failure {
  public var kind: FailureKind {
    switch self {
    case .unknownEncoder, .unknownFormat, .unsupportedLayout, .unknownEncoderOption, .invalidEncoderOption,
      .encoderRejected, .unsupportedFrameRate, .invalidSpecifier, .unknownInputFormat, .addressNotAllowed:
      .invalidRequest
    case .outOfMemory: .temporary
    // There was no thread for it.
    case .failed(.openDecoder, _, let code, _) where abs(code) == EAGAIN: .temporary
    // FFmpeg negates the system's codes.
    case .failed(_, _, let code, _): SystemCode.isWorthRetrying(code) ? .temporary : .failed
    case .output(let error): error.kind
    default: .failed
    }
  }
}
