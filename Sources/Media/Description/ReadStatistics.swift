public import Frames

/// Limits on what a file may demand.
public struct ReadLimits: Sendable, Hashable, Codable {
  /// Samples of one picture, width times height.
  public var maxPixels: Int
  /// Damaged frames, undecodable packets and failed reads; nil: any number.
  public var maxErrors: Int?
  /// Whether a truncated file is accepted; otherwise its end is an error.
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

/// Statistics of decoding so far.
public struct ReadStatistics: Sendable, Hashable {
  /// Delivered frames.
  public var frames = 0
  /// Delivered frames that are damaged, according to the decoder's flag or an error that it logged, including missing
  /// references; after a seek also those decoded on the way to the first frame.
  public var damagedFrames = 0
  /// Delivered frames that hold two fields.
  public var interlacedFrames = 0
  /// Deinterlaced pictures, including any with frames still to be delivered.
  public var deinterlacedPictures = 0
  /// Packets that are undecodable, incomplete or lost, and failed reads.
  public var decodeErrors = 0
  /// Frames of a device that never arrived, or arrived faster than they were read.
  public var lostFrames = 0
  /// Clock discontinuities that were removed, as in joined recordings.
  public var clockJumps = 0
  /// Whether the file is truncated.
  public var endsEarly = false
  /// Malformed ST 2094-50 messages that were ignored.
  public var ignoredToneMaps = 0
  /// The error in the first of `ignoredToneMaps`.
  public var ignoredReason: AdaptiveToneMapError?
  /// Name of an ICC profile of otherwise untagged frames that does not match a colour space of H.273, so that they
  /// remain untagged; "" if it has no name.
  public var unrecognizedProfile: String?

  /// Initially empty.
  public init() {}
}
