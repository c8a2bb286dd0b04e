public import Frames

/// Limits on what a file may demand.
public struct ReadLimits: Sendable, Hashable, Codable {
  /// Samples of one picture, width times height.
  public var maxPixels: Int
  /// Damaged frames, undecodable packets and failed reads; nil: any number.
  public var maxErrors: Int?
  /// A truncated file is read like any other; otherwise its end is an error.
  public var acceptsTruncation = false
  /// FFmpeg protocols that are allowed for URLs and entries of playlists; files always are.
  public var protocols: [String] = []
  /// Bytes of other streams that are buffered until the first picture.
  public var maxBytesBeforePicture = 1 << 28

  /// Limits for files of unknown origin: 16,384 by 16,384 pixels, any number of errors, no truncation.
  public init(maxPixels: Int = 16_384 * 16_384, maxErrors: Int? = nil, acceptsTruncation: Bool = false) {
    self.maxPixels = maxPixels
    self.maxErrors = maxErrors
    self.acceptsTruncation = acceptsTruncation
  }
}

/// What decoding has encountered so far.
public struct ReadStatistics: Sendable, Hashable {
  /// Frames that were delivered.
  public var frames = 0
  /// Delivered frames that are damaged, according to the decoder's flag or an error that it logged, including missing
  /// references; after a seek also those decoded on the way to the first frame.
  public var damagedFrames = 0
  /// Delivered frames that hold two fields.
  public var interlacedFrames = 0
  /// Interlaced pictures that were deinterlaced, those included whose frames are still to be delivered.
  public var deinterlacedPictures = 0
  /// Packets that could not be decoded, lack a part or are lost, and reads that failed.
  public var decodeErrors = 0
  /// Frames of a device that never arrived, or came faster than they were read.
  public var lostFrames = 0
  /// Jumps of the file's clock that were removed, as in joined recordings.
  public var clockJumps = 0
  /// The file is truncated.
  public var endsEarly = false
  /// Malformed ST 2094-50 messages that were ignored.
  public var ignoredToneMaps = 0
  /// What was wrong with the first of `ignoredToneMaps`.
  public var ignoredReason: AdaptiveToneMapError?
  /// Name of an ICC profile of otherwise untagged frames that does not match a colour space of H.273, so that they
  /// remain untagged; "" if it has no name.
  public var unrecognizedProfile: String?

  /// Nothing has been encountered yet.
  public init() {}
}
