public import Frames

/// What a reader does to decoded pictures before it delivers them, in the order of the properties.
public struct PicturePreparation: Sendable, Hashable, Codable {
  /// Pictures that are flagged as interlaced are deinterlaced; nil: their fields stay.
  public var deinterlacing: Deinterlacing?
  /// The part that is kept; nil: all of it.
  public var crop: PictureCrop?
  /// The size that what is kept is scaled to; nil: it keeps its size.
  public var scaling: PictureScaling?

  /// A border around the result; nil: none.
  public var padding: PicturePadding?

  /// Unless specified, nothing is done.
  public init(
    deinterlacing: Deinterlacing? = nil, crop: PictureCrop? = nil, scaling: PictureScaling? = nil,
    padding: PicturePadding? = nil
  ) {
    (self.deinterlacing, self.crop, self.scaling, self.padding) = (deinterlacing, crop, scaling, padding)
  }
}

/// A border around pictures.
public struct PicturePadding: Sendable, Hashable, Codable {
  /// Where the picture lies, in samples of the result.
  public let picture: PictureArea
  /// The size with the border.
  public let size: Size
  /// Linear light of the border in BT.709 primaries; 1 is reference white.
  public let light: SIMD3<Double>

  /// - Parameters:
  ///   - picture: Inside of pictures of the size.
  ///   - size: The size with the border.
  ///   - light: Of the border.
  public init(around picture: PictureArea, size: Size, light: SIMD3<Double>) {
    (self.picture, self.size, self.light) = (picture, size, light)
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
