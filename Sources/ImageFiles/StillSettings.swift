public import Compositing
public import Frames

/// How picture files are read.
public struct StillSettings: Sendable, Hashable, Codable {
  /// Headroom that an Ultra HDR image is rendered for, relative to SDR white; nil: the maximum.
  public var gainMapHeadroom: Double?
  /// Compositing of pictures with alpha.
  public var compositing: Compositing
  /// Frame rate of pictures; nil: 25, as in FFmpeg.
  public var frameRate: Rational?
  /// Number of the first file of a sequence; nil: the lowest that exists.
  public var startNumber: Int?

  /// By default the maximum headroom of Ultra HDR images, a black background, and 25 frames per second.
  public init(
    gainMapHeadroom: Double? = nil, compositing: Compositing = Compositing(), frameRate: Rational? = nil,
    startNumber: Int? = nil
  ) {
    self.gainMapHeadroom = gainMapHeadroom
    self.compositing = compositing
    self.frameRate = frameRate
    self.startNumber = startNumber
  }
}
