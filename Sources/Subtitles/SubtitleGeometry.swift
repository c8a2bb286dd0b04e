public import Frames

/// The displayed picture that subtitles are drawn into.
public struct SubtitleGeometry: Sendable, Hashable, Codable {
  /// Size of the picture in pixels.
  public var size: Size
  /// Size of the video that the subtitles were authored for.
  public var storage: Size
  /// Pixel aspect ratio: width over height.
  public var pixelAspect: Double
  /// How a player rotates the coded pixels for display.
  public var turn: Orientation

  /// - Parameters:
  ///   - size: Size of the displayed picture, at least 1 by 1.
  ///   - storage: Size of the video that the subtitles were authored for, rotated the same way.
  ///   - pixelAspect: Pixel aspect ratio of the displayed picture.
  ///   - turn: How a player rotates the coded pixels.
  public init(size: Size, storage: Size, pixelAspect: Double = 1, turn: Orientation = .identity) {
    (self.size, self.storage, self.pixelAspect, self.turn) = (size, storage, pixelAspect, turn)
  }
}
