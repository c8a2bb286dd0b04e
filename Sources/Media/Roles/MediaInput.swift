public import Frames

/// An input: its description and its frames.
public protocol MediaInput: SeekableSource, SideStreams {
  /// Description of the file and its streams.
  var info: MediaInfo { get }
  /// The stream that is decoded.
  var video: VideoStreamInfo { get }
  /// Statistics of decoding so far: damage, gaps, corrected times.
  var statistics: ReadStatistics { get }
  /// Notes for the user on how it is read, a sentence each.
  var notes: [String] { get }
  /// Whether the input is a single frame.
  var isStill: Bool { get }
  /// Why the input ended prematurely, after intact frames; nil: it did not.
  var ending: EarlyEnding? { get }

  /// Samples pictures throughout a range of the input, as far as that is cheap: the first may only show a logo.
  /// - Parameters:
  ///   - start: In seconds from the start of the input.
  ///   - end: The same; nil: the end of the input.
  func survey(from start: Double, to end: Double?) -> StreamSurvey

  /// Sets the processing of the pictures; call this before reading the first. `video` then has the rate and the times
  /// of the resulting frames.
  /// - Throws: If these pictures do not support it.
  func prepare(_ preparation: PicturePreparation) throws
}

extension MediaInput {
  public var ending: EarlyEnding? { nil }

  public func survey(from start: Double, to end: Double?) -> StreamSurvey { StreamSurvey() }
}

/// A seekable source that can peek at the next frame.
public protocol SeekableSource: FrameSource {
  /// The next frame, without passing data; nil at the end.
  /// - Throws: Why there are no more frames.
  func readFrame() throws -> CodedFrame?

  /// The next frame, without consuming it.
  /// - Throws: Why there are no more frames.
  func peekFrame() throws -> CodedFrame?

  /// Continues with the first frame at or after a time in seconds from the start.
  /// - Throws: If the input is not seekable.
  func seek(toSeconds seconds: Double) throws
}

/// Streams other than the picture, whose data passes with the frames.
public protocol SideStreams {
  /// Passes the packets of these streams along with the frames; call this before reading the first.
  /// - Throws: If a stream's packets cannot be passed on.
  func pass(_ indices: [Int]) throws

  /// Indices of the streams that match an FFmpeg stream specifier.
  /// - Throws: For an invalid specifier.
  func streams(matching specifier: String) throws -> [Int]

  /// Stops decoding pictures: only packets of other streams follow, up to a time in seconds.
  func stopDecoding(limit: Double)
}

/// Why an input ended before the announced number of pictures.
public struct EarlyEnding: Sendable {
  /// The error that ended reading.
  public let reason: any Error
  /// Number of the first missing frame, from 0.
  public let index: Int
  /// Frame rate of the input.
  public let framesPerSecond: Double

  package init(_ reason: any Error, index: Int, framesPerSecond: Double) {
    self.reason = reason
    self.index = index
    self.framesPerSecond = framesPerSecond
  }
}
