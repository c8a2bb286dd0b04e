public import Frames

/// An input as verbs use it: what it says about itself, and its frames.
public protocol MediaInput: FrameSource {
  var info: MediaInfo { get }
  /// The stream that is decoded.
  var video: VideoStreamInfo { get }
  var statistics: MediaReader.Statistics { get }
  /// What the user should know of how it is read, a sentence each.
  var notes: [String] { get }
  /// There is one frame and no more.
  var isStill: Bool { get }
  /// What ended the pictures before their time; the frames before it are whole. nil where nothing did.
  var ending: EarlyEnding? { get }

  /// Scales the frames; to be called before the first is read.
  /// - Parameter scaling: nil: frames keep their size.
  func scale(_ scaling: PictureScaling?) throws
  /// Hands the packets of other streams on with the frames; to be called before the first frame is read.
  func pass(_ streams: [StreamCopy])
  /// The streams that a stream specifier of FFmpeg names, by their places.
  func streams(matching specifier: String) throws(FFmpegError) -> [Int]
  /// What a writer needs to copy a stream; nil where there is none at this place.
  func streamCopy(_ index: Int) throws(FFmpegError) -> StreamCopy?
  /// The next frame, without what passes beside it; nil at the end.
  func readFrame() throws(FFmpegError) -> CodedFrame?
  /// The frame that is read next, which still will be.
  func peekFrame() throws(FFmpegError) -> CodedFrame?
  /// Goes on with the first frame at or after a time in seconds from the start.
  func seek(toSeconds seconds: Double) throws(FFmpegError)
  /// Leaves the rest of the pictures out: only packets of other streams come from now on, up to a time in seconds.
  func stopDecoding(limit: Double)
}

/// Why there are no more pictures of an input that announces them.
public struct EarlyEnding: Sendable {
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

extension MediaReader: MediaInput {
  public var isStill: Bool {
    let stream = info.streams.first { $0.index == video.index }
    return info.isOfPictures || stream?.frameCount == 1
  }
}

extension MediaInput {
  public var ending: EarlyEnding? { nil }
}
