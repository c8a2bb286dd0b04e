public import FFmpegIO
public import Frames

/// How picture files are read.
public struct StillSettings: Sendable, Hashable, Codable {
  /// What an Ultra HDR image is made for, as a ratio to SDR white; nil: all that it holds.
  public var gainMapHeadroom: Double?
  /// What pictures with alpha are laid over.
  public var compositing: Compositing
  /// Frames a second of pictures; nil: 25, as FFmpeg has it.
  public var frameRate: Rational?
  /// Number of the first file of a sequence; nil: the lowest that there is.
  public var startNumber: Int?

  /// All of an Ultra HDR image, over black, 25 frames a second, unless stated.
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
