internal import ColorScience
public import Frames

/// A camera raw picture: the linear response of the sensor, without white balance, tone curve or reconstructed
/// highlights.
///
/// The image's unit is the white level of each colour, at which it saturates; black is subtracted, so that noise around
/// it is negative as often as positive. Lens corrections that files list are not applied.
public struct CameraRaw: Sendable {
  /// R, G and B of each pixel of the sensor's visible area.
  public let image: SceneImage
  /// When it was taken, in seconds since 1970, as `PictureExif.taken`.
  public let taken: Double?
  /// The rotation that shows the picture upright.
  public let orientation: Orientation
  /// Notes on how it was read, a sentence each.
  public let notes: [String]

  /// Reads DNG, CR2, CR3, NEF, ARW, RAF, ORF, RW2 and other files that LibRaw supports; the name does not matter.
  ///
  /// Sensors with one colour per site are interpolated linearly (`BayerInterpolation`, `FilterInterpolation`).
  /// - Returns: nil if it is not a camera raw file; ordinary TIFF files are not.
  /// - Throws: `ImageFileError.unreadable` if it is damaged, `.unsupported`, `.outOfMemory`.
  public static func read(_ path: String) throws(ImageFileError) -> CameraRaw? {
    guard CameraRawSignature(path: path) != nil else { return nil }
    let bytes = try WholeFile.bytes(of: path)
    guard let signature = CameraRawSignature(file: bytes) else { return nil }
    return try unsafe bytes.withUnsafeBufferPointer { buffer throws(ImageFileError) -> CameraRaw? in
      let file = try LibRawFile(path: path)
      guard try unsafe file.open(UnsafeRawBufferPointer(buffer)) else {
        guard signature.isCertain else { return nil }
        throw .unreadable(path: path, reason: "it is camera raw, but damaged or of a camera that LibRaw does not know")
      }
      return try CameraRaw(file, metadata: CameraRawMetadata(bytes[...], signature))
    }
  }

  private init(_ file: LibRawFile, metadata: CameraRawMetadata) throws(ImageFileError) {
    try file.unpack()
    if metadata.isFloatingPoint || file.isFloatingPoint { throw file.unsupported("its samples are floating-point") }
    let levels = try SensorLevels(file)
    let colors = CameraColors(file)
    let description = SceneDescription(
      components: .camera(name: file.camera ?? metadata.exif?.camera ?? "unknown camera", toXYZ: colors.toXYZ),
      saturation: SIMD3(repeating: 1), quantum: levels.quantum,
      exposure: (metadata.exif?.exposure ?? Exposure()).completed(by: file.exposure), noise: metadata.noise)
    image = try SensorSamples(file, levels).image(description, white: colors.white)
    taken = metadata.exif?.taken
    orientation = file.orientation
    notes = file.notes + colors.notes
  }
}

extension Exposure {
  /// This exposure, completed by what another states; nil if neither states anything.
  fileprivate func completed(by other: Exposure) -> Exposure? {
    let exposure = Exposure(
      seconds: seconds ?? other.seconds, fNumber: fNumber ?? other.fNumber,
      sensitivity: sensitivity ?? other.sensitivity, flashFired: flashFired ?? other.flashFired)
    return exposure == Exposure() ? nil : exposure
  }
}
