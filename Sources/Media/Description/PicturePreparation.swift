public import Frames

/// What a reader does to decoded pictures before it delivers them, in the order of the properties.
public struct PicturePreparation: Sendable, Hashable, Codable {
  /// Pictures that are flagged as interlaced are deinterlaced; nil: their fields stay.
  public var deinterlacing: Deinterlacing?
  /// The part that is kept; nil: all of it.
  public var crop: PictureCrop?
  /// The size that what is kept is scaled to; nil: it keeps its size.
  public var scaling: PictureScaling?

  /// Unless specified, nothing is done.
  public init(deinterlacing: Deinterlacing? = nil, crop: PictureCrop? = nil, scaling: PictureScaling? = nil) {
    (self.deinterlacing, self.crop, self.scaling) = (deinterlacing, crop, scaling)
  }
}

/// The part of decoded pictures that is kept.
public struct PictureCrop: Sendable, Hashable, Codable {
  /// In samples of the decoded picture, before any rotation.
  public let area: PictureArea
  /// The size of the pictures that the area was chosen for.
  public let size: Size

  /// - Parameters:
  ///   - area: Inside of pictures of the size.
  ///   - size: The size of the pictures.
  public init(_ area: PictureArea, of size: Size) { (self.area, self.size) = (area, size) }
}
