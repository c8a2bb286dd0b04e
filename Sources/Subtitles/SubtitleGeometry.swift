public import Frames

/// The picture that subtitles are drawn into, as it is seen.
public struct SubtitleGeometry: Sendable, Hashable, Codable {
  /// Size of the picture in pixels.
  public var size: Size
  /// Size of the video that the subtitles were made for.
  public var storage: Size
  /// Width of a pixel over its height.
  public var pixelAspect: Double
  /// How a player rotates the pixels that are coded to what is seen.
  public var turn: Orientation

  /// - Parameters:
  ///   - size: Size of the picture as it is seen, at least 1 by 1.
  ///   - storage: Size of the video that the subtitles were made for, turned like it.
  ///   - pixelAspect: Width of a pixel over its height, as it is seen.
  ///   - turn: How a player rotates the pixels that are coded.
  public init(size: Size, storage: Size, pixelAspect: Double = 1, turn: Orientation = .identity) {
    (self.size, self.storage, self.pixelAspect, self.turn) = (size, storage, pixelAspect, turn)
  }
}
