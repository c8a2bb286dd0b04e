public import Frames

/// An input as verbs use it: what it says about itself, and its frames.
public protocol MediaInput: SeekableSource, SideStreams {
  /// What the file says about itself and its streams.
  var info: MediaInfo { get }
  /// The stream that is decoded.
  var video: VideoStreamInfo { get }
  /// What decoding has met so far: damage, gaps, corrected times.
  var statistics: ReadStatistics { get }
  /// What the user should know about how it is read, a sentence each.
  var notes: [String] { get }
  /// There is one frame and no more.
  var isStill: Bool { get }
  /// What ended the pictures before their time; the frames before it are whole. nil where nothing did.
  var ending: EarlyEnding? { get }

  /// Scales the frames; to be called before the first is read.
  /// - Parameter scaling: nil: frames keep their size.
  /// - Throws: Where the pictures cannot be scaled.
  func scale(_ scaling: PictureScaling?) throws
}

extension MediaInput {
  public var ending: EarlyEnding? { nil }
}

/// A source that can begin anywhere, and shows a frame before it is read.
public protocol SeekableSource: FrameSource {
  /// The next frame, without what passes beside it; nil at the end.
  /// - Throws: Why there are no more frames.
  func readFrame() throws -> CodedFrame?

  /// The frame that is read next, which still will be.
  /// - Throws: Why there are no more frames.
  func peekFrame() throws -> CodedFrame?

  /// Goes on with the first frame at or after a time in seconds from the start.
  /// - Throws: Where the input cannot be sought in.
  func seek(toSeconds seconds: Double) throws
}

/// Streams beside the picture, whose data passes with the frames.
public protocol SideStreams {
  /// Hands the packets of these streams, by their places, on with the frames; to be called before the first is read.
  /// - Throws: Where a stream's packets cannot be passed on.
  func pass(_ indices: [Int]) throws

  /// The streams that a stream specifier of FFmpeg names, by their places.
  /// - Throws: For what is no specifier.
  func streams(matching specifier: String) throws -> [Int]

  /// Leaves the rest of the pictures out: only packets of other streams come from now on, up to a time in seconds.
  func stopDecoding(limit: Double)
}

/// Why an input that announces more pictures ended early.
public struct EarlyEnding: Sendable {
  /// The error that reading ended with.
  public let reason: any Error
  /// Number of the first frame that is missing, from 0.
  public let index: Int
  /// Of the input.
  public let framesPerSecond: Double

  package init(_ reason: any Error, index: Int, framesPerSecond: Double) {
    self.reason = reason
    self.index = index
    self.framesPerSecond = framesPerSecond
  }
}
