public import Frames

/// The most that a file may ask for.
public struct ReadLimits: Sendable, Hashable, Codable {
  /// Samples of one picture, width times height.
  public var maxPixels: Int
  /// Damaged frames, undecodable packets and failed reads; nil: any number.
  public var maxErrors: Int?
  /// A file without its end is read like any other; else its end is an error.
  public var acceptsTruncation = false
  /// FFmpeg's protocols that an address, or what a playlist names, may be opened by; files are always.
  public var protocols: [String] = []
  /// Bytes of other streams that are kept while the first picture is looked for.
  public var maxBytesBeforePicture = 1 << 28

  /// Limits for files of unknown origin: 16,384 by 16,384 pixels, any number of errors, no truncation.
  public init(maxPixels: Int = 16_384 * 16_384, maxErrors: Int? = nil, acceptsTruncation: Bool = false) {
    self.maxPixels = maxPixels
    self.maxErrors = maxErrors
    self.acceptsTruncation = acceptsTruncation
  }
}

/// What decoding has met so far.
public struct ReadStatistics: Sendable, Hashable {
  /// Frames that were handed on.
  public var frames = 0
  /// Frames among them that are damaged, by the decoder's mark or an error that it logged, missing references among
  /// them; after a seek also those that were decoded to come to the first.
  public var damagedFrames = 0
  /// Frames among them that hold two fields.
  public var interlacedFrames = 0
  /// Packets that could not be decoded and reads that failed; their pictures are missing.
  public var decodeErrors = 0
  /// The end of the file is missing.
  public var endsEarly = false
  /// Messages of ST 2094-50 that were malformed and not used.
  public var ignoredToneMaps = 0
  /// What was wrong with the first of `ignoredToneMaps`.
  public var ignoredReason: AdaptiveToneMapError?
  /// Name of an ICC profile that frames without other tags have and that is no space of H.273, so that they stayed
  /// without; "" where it has no name.
  public var unrecognizedProfile: String?

  /// Nothing has been met yet.
  public init() {}
}
