public import Frames

/// Exif metadata about how a picture was taken.
///
/// Source: CIPA DC-008 (Exif 2.32), 4.6.4, 4.6.5.
public struct PictureExif: Sendable, Hashable {
  /// The exposure; its fields are nil where nothing plausible is stated.
  public let exposure: Exposure
  /// Maker and model of the camera.
  public let camera: String?
  /// The rotation that shows the picture upright; containers that state a rotation, such as HEIF and JPEG XL, override
  /// it.
  public let orientation: Orientation?
  /// When it was taken, in seconds since 1970 in UTC; without a stated offset, the camera's clock is taken as UTC.
  public let taken: Double?

  /// The metadata of a JPEG, TIFF, PNG, HEIF, AVIF, JPEG XL or WebP file, whatever its name.
  /// - Returns: nil if it is of another format, or its metadata is missing or compressed.
  /// - Throws: `ImageFileError.unreadable` if it cannot be read, `.unsupported` above 1 GiB.
  public static func read(_ path: String) throws(ImageFileError) -> PictureExif? {
    guard let container = ExifContainer(path: path) else { return nil }
    return try container.structure(in: WholeFile.bytes(of: path)).flatMap { PictureExif(tiff: $0) }
  }

  /// The exposure that a picture's file states.
  /// - Returns: nil if it states none, or cannot be read.
  public static func exposure(of path: String) -> Exposure? {
    guard let exif = try? read(path), exif.exposure != Exposure() else { return nil }
    return exif.exposure
  }
}

extension PictureExif {
  /// - Parameter content: A TIFF structure, beginning with its byte order.
  /// - Returns: nil if it is not one.
  init?(tiff content: ArraySlice<UInt8>) {
    guard content.starts(with: [0x49, 0x49]) || content.starts(with: [0x4D, 0x4D]),
      let directory = TIFFDirectory(content)
    else { return nil }
    exposure = Exposure(ExifTags(directory))
    camera = Self.camera(maker: directory.text(0x010F), model: directory.text(0x0110))
    orientation = Orientation(exifSegment: content)
    taken = ExifTags(directory).timeTaken
  }

  /// Models often begin with the maker's name.
  private static func camera(maker: String?, model: String?) -> String? {
    guard let maker, let model else { return model ?? maker }
    let brand = maker.prefix { $0 != " " }.lowercased()
    return model.lowercased().hasPrefix(brand) ? model : "\(maker) \(model)"
  }
}
