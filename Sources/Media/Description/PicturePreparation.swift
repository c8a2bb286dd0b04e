public import Frames

/// Processing of decoded pictures before a reader delivers them, in the order of the properties.
public struct PicturePreparation: Sendable, Hashable, Codable {
  /// Deinterlacing of pictures that are flagged as interlaced; nil: their fields stay.
  public var deinterlacing: Deinterlacing?
  /// The area that is kept; nil: the whole picture.
  public var crop: PictureCrop?
  /// The size after cropping and scaling; nil: not scaled.
  public var scaling: PictureScaling?

  /// A border around the result; nil: none.
  public var padding: PicturePadding?

  /// No processing unless specified.
  public init(
    deinterlacing: Deinterlacing? = nil, crop: PictureCrop? = nil, scaling: PictureScaling? = nil,
    padding: PicturePadding? = nil
  ) {
    (self.deinterlacing, self.crop, self.scaling, self.padding) = (deinterlacing, crop, scaling, padding)
  }
}

/// A border around pictures.
public struct PicturePadding: Sendable, Hashable, Codable {
  /// Position of the picture, in samples of the result.
  public let picture: PictureArea
  /// The size with the border.
  public let size: Size
  /// Linear light of the border in BT.709 primaries; 1 is reference white.
  public let light: SIMD3<Double>

  /// - Parameters:
  ///   - picture: Area inside `size`.
  ///   - size: The size with the border.
  ///   - light: Light of the border.
  public init(around picture: PictureArea, size: Size, light: SIMD3<Double>) {
    (self.picture, self.size, self.light) = (picture, size, light)
  }
}

/// The area of decoded pictures that is kept.
public struct PictureCrop: Sendable, Hashable, Codable {
  /// In samples of the decoded picture, before any rotation.
  public let area: PictureArea
  /// The size of the pictures that the area applies to.
  public let size: Size

  /// - Parameters:
  ///   - area: Area inside `size`.
  ///   - size: The size of the pictures.
  public init(_ area: PictureArea, of size: Size) { (self.area, self.size) = (area, size) }
}
